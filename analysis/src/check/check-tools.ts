import { isPattern } from '@callgate/core'
import type { GateRules } from '@callgate/core'
import { checkLooks } from './check-looks.ts'
import { lookOf } from './confusable.ts'
import type { Finding, KnownTool } from './finding.ts'
import { createNameFinder } from './name-finder.ts'
import { namedTools } from './named-tools.ts'
import type { NamedTool } from './named-tools.ts'
import { createNearestName } from './nearest-name.ts'
import type { NearestName } from './nearest-name.ts'
import { showName, spellName } from './show-name.ts'

/**
 * Finds names that the server does not have, patterns about none or all of its tools, and names that only look like one;
 * `others` are names that stand elsewhere in the file. Where the tools are not known only `*` can be told.
 */
export function checkTools(rules: GateRules, tools: readonly KnownTool[] | undefined, others: readonly NamedTool[] = []): readonly Finding[] {
  const named = [...namedTools(rules), ...others]
  if (tools === undefined) return named.filter((one) => /^\*+$/.test(one.name) && isAllDoubtful(one)).map(matchesAll)
  const known = new Set(tools.map(({ name }) => name))
  const matching = createNameFinder(known)
  const nearest = createNearestName(known)
  const looks = new Map(tools.map(({ name }) => [lookOf(name), name]))
  const unknown = new Map<string, Finding>()
  const findings = named.flatMap((one): readonly Finding[] => {
    const { name, pointer } = one
    if (isPattern(name)) return checkPattern(one, matching(name).length, known.size)
    if (known.has(name)) return []
    const finding = unknown.get(name) ?? unknownTool(name, looks, nearest)
    unknown.set(name, finding)
    return [{ ...finding, pointer }]
  })
  return [...findings, ...checkLooks(tools, named)]
}

function checkPattern(one: NamedTool, matched: number, known: number): readonly Finding[] {
  if (matched === 0) {
    const message = `${showName(one.name)} matches no tool of the server`
    return [{ code: 'pattern_matches_nothing', severity: 'error', pointer: one.pointer, message, hint: 'correct the pattern, or remove it' }]
  }
  return matched === known && known > 1 && isAllDoubtful(one) ? [matchesAll(one)] : []
}

/** Under `allow` a pattern about every tool only says that the list closes nothing; anywhere else it may be a slip. */
function isAllDoubtful({ pointer }: NamedTool): boolean {
  return !pointer.startsWith('/gates/allow/')
}

function matchesAll({ name, pointer }: NamedTool): Finding {
  return { code: 'pattern_matches_all', severity: 'warning', pointer, message: `${showName(name)} is about every tool`, hint: 'narrow it, if that is not meant' }
}

function unknownTool(name: string, looks: ReadonlyMap<string, string>, nearest: NearestName): Finding {
  const alike = looks.get(lookOf(name))
  const isOnlyCase = alike?.toLowerCase() === name.toLowerCase()
  const near = alike ?? nearest(name)
  const message = alike !== undefined && !isOnlyCase
    ? `the server has no tool ${spellName(name)}; its ${spellName(alike)} is written with other letters that look the same`
    : `the server has no tool ${showName(name)}`
  const hint = near === undefined ? 'tools are named as the server lists them, case and all' : `did you mean ${showName(near)}?`
  return { code: 'unknown_tool', severity: 'error', pointer: '', message, hint }
}
