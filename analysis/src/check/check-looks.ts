import { isPattern } from '@callgate/core'
import { lookOf } from './confusable.ts'
import type { Finding, KnownTool } from './finding.ts'
import type { NamedTool } from './named-tools.ts'
import { spellName } from './show-name.ts'

/** Finds tools of the server that look like one that the rules name: they are other tools, and no rule is about them by name. */
export function checkLooks(tools: readonly KnownTool[], named: readonly NamedTool[]): readonly Finding[] {
  const byLook = new Map<string, NamedTool>()
  for (const one of named) if (!isPattern(one.name) && !byLook.has(lookOf(one.name))) byLook.set(lookOf(one.name), one)
  const names = new Set(named.map(({ name }) => name))
  const known = new Set(tools.map(({ name }) => name))
  return tools.flatMap(({ name }): readonly Finding[] => {
    const like = byLook.get(lookOf(name))
    // One that the rules name and the server has not is told of where it stands.
    if (like === undefined || names.has(name) || !known.has(like.name)) return []
    const message = `the server has a tool ${spellName(name)} that looks like ${spellName(like.name)} and is another one`
    return [{ code: 'confusable_tool', severity: 'warning', pointer: like.pointer, message, hint: 'name it in the rules too, or put it under `deny`' }]
  })
}
