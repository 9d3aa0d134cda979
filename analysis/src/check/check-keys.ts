import { CONFIRM_GATE } from '@callgate/core'
import type { GateRules, MarkRule } from '@callgate/core'
import type { Finding } from './finding.ts'

/** Finds rules that ask for keys or facts which no mark carries, and keys that no rule asks for. */
export function checkKeys({ rules, marks = [], external = [] }: GateRules): readonly Finding[] {
  const hosts = new Set(external)
  const byGate = new Map<string, MarkRule[]>()
  for (const mark of marks) if (mark.clear !== true) byGate.set(mark.gate, [...(byGate.get(mark.gate) ?? []), mark])
  const asked = new Set(rules.filter(({ key }) => key !== undefined).map(({ gate }) => gate))
  const conditions = new Set(rules.map(({ condition }) => condition))
  const unmet = rules.flatMap(({ gate, key, require }, at): readonly Finding[] => {
    const known = byGate.get(gate) ?? []
    // What the host's own code marks is not known here; a gate that nothing marks is another finding.
    if (gate === CONFIRM_GATE || hosts.has(gate) || known.length === 0) return []
    return [
      ...(key !== undefined && known.every(({ keys }) => keys === undefined)
        ? [lacking('no_keys_marked', `/gates/rules/${at}/key`, `the rule asks for a key, and no mark of \`${gate}\` carries keys: it can never be met`, 'add `keys:` to the mark')]
        : []),
      ...(require !== undefined && known.every(({ keep }) => keep === undefined)
        ? [lacking('no_fact_kept', `/gates/rules/${at}/require`, `the rule asks for a fact, and no mark of \`${gate}\` keeps one: it can never be met`, 'add `keep:` to the mark')]
        : []),
    ]
  })
  const used = new Set(rules.map(({ gate }) => gate))
  const unused = marks.flatMap(({ gate, keys, clear }, at): readonly Finding[] => {
    if (keys === undefined || clear === true || asked.has(gate) || !used.has(gate) || conditions.has(gate)) return []
    const message = `the mark of \`${gate}\` carries keys, and no rule asks for one: any of them opens it for all`
    return [{ code: 'unused_keys', severity: 'warning', pointer: `/gates/marks/${at}/keys`, message, hint: 'add `key:` to the rule, or remove the keys' }]
  })
  return [...unmet, ...unused]
}

function lacking(code: 'no_keys_marked' | 'no_fact_kept', pointer: string, message: string, hint: string): Finding {
  return { code, severity: 'error', pointer, message, hint }
}
