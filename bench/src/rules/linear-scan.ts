import type { Contestant, World } from './world.ts'

/** Every rule looked at for every call. */
export function linearScan({ rules, marked }: World): Contestant {
  return { name: 'linear scan', decide: (tool) => rules.every((rule) => rule.tool !== tool || marked.has(rule.gate)) }
}
