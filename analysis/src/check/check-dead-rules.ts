import { CONFIRM_GATE, createNameMatcher, isPattern } from '@callgate/core'
import type { GateRule, GateRules } from '@callgate/core'
import type { Finding } from './finding.ts'

/** Finds rules that can never matter: an earlier one asks the same of the same tools, or the tools are refused anyway. */
export function checkDeadRules({ rules, allow, deny = [] }: GateRules): readonly Finding[] {
  const isDenied = createCover(deny)
  const isAllowed = allow === undefined ? undefined : createOverlap(allow)
  const covered = new Map<string, Cover>()
  return rules.flatMap((rule, at): readonly Finding[] => {
    const { tools } = rule
    const pointer = `/gates/rules/${at}`
    if (tools === undefined) return []
    if (tools.every(isDenied.has)) return [dead('denied_rule', pointer, 'all of its tools are under `deny`: this rule can never matter')]
    if (isAllowed !== undefined && !tools.some(isAllowed)) return [dead('outside_allow', pointer, 'none of its tools is under `allow`: this rule can never matter')]
    const cover = broader(rule).map((terms) => covered.get(terms)).find((found) => found !== undefined && tools.every(found.has))
    const own = covered.get(termsOf(rule)) ?? createCover([])
    covered.set(termsOf(rule), own)
    own.add(tools, at)
    if (cover === undefined) return []
    return [dead('shadowed_rule', pointer, `rule ${cover.first(tools) + 1} asks the same of the same tools before it: this rule can never matter`)]
  })
}

function dead(code: 'denied_rule' | 'outside_allow' | 'shadowed_rule', pointer: string, message: string): Finding {
  return { code, severity: 'warning', pointer, message, hint: 'remove it, or the one that hides it' }
}

/** What a rule asks, but for its tools and its words. */
function termsOf({ tools: _tools, message: _message, line: _line, ...terms }: GateRule): string {
  const entries = Object.entries(terms).map(([name, value]): readonly [string, unknown] => [name, isExpression(value) ? value.source : value])
  return JSON.stringify(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** The terms that an earlier rule may have to hide this one: its own, and where it only asks for a mark, the same without circumstances. */
function broader(rule: GateRule): readonly string[] {
  const { when: _when, condition: _condition, ...always } = rule
  const isPlain = rule.gate !== CONFIRM_GATE && rule.key === undefined && rule.require === undefined
  return isPlain ? [termsOf(rule), termsOf(always)] : [termsOf(rule)]
}

function isExpression(value: unknown): value is { readonly source: string } {
  return typeof value === 'object' && value !== null && 'source' in value
}

/** Names that are covered by names and patterns seen so far, and by which rule first. */
type Cover = { has(name: string): boolean; first(names: readonly string[]): number; add(names: readonly string[], at: number): void }

function createCover(names: readonly string[]): Cover {
  const exact = new Map<string, number>()
  const patterns: { readonly at: number; matches(name: string): boolean }[] = []
  const find = (name: string): number | undefined => exact.get(name) ?? patterns.find(({ matches }) => matches(name))?.at
  const add = (more: readonly string[], at: number): void => {
    for (const name of more) {
      if (!exact.has(name)) exact.set(name, at)
      if (isPattern(name)) patterns.push({ at, matches: createNameMatcher(name) })
    }
  }
  add(names, 0)
  return { has: (name) => find(name) !== undefined, first: (more) => Math.max(...more.map((name) => find(name) ?? 0)), add }
}

/** Whether a name or pattern may be about a tool that the list is about; two patterns may always meet. */
function createOverlap(names: readonly string[]): (name: string) => boolean {
  const cover = createCover(names)
  const hasPattern = names.some(isPattern)
  return (name) => {
    if (!isPattern(name)) return cover.has(name)
    const matches = createNameMatcher(name)
    return hasPattern || names.some(matches)
  }
}
