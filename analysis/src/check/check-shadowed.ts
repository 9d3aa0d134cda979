import { CONFIRM_GATE } from '@callgate/core'
import type { GateRule, GateRules } from '@callgate/core'
import type { Finding } from './finding.ts'
import { createNameCover } from './name-cover.ts'
import type { NameCover } from './name-cover.ts'

type Covers = Map<string, NameCover>

/** Stands for any gate that nothing marks. */
const CLOSED = { gate: '' }

/**
 * Finds rules that another makes pointless: one before it asks no less of the same tools in no fewer cases, or it holds where
 * another refuses, wherever that stands, since a refusal comes first (contract 9). A rule that asks a person is hidden by one
 * before it that asks the same way, or by one whose gate nothing marks: it refuses for ever, and nobody is asked.
 */
export function checkShadowed({ rules, marks = [], external = [] }: GateRules): readonly Finding[] {
  const marked = new Set([...marks.filter(({ clear }) => clear !== true).map(({ gate }) => gate), ...external])
  const refusing: Covers = new Map()
  const asking: Covers = new Map()
  const closed: Covers = new Map()
  const hiders = new Map<number, number>()
  for (const [at, rule] of rules.entries()) {
    if (!isRefusing(rule)) continue
    find(refusing, circumstances(rule).map((each) => signature(rule, each, rule)), rule, at)
    for (const strength of strengths(rule)) add(refusing, signature(rule, rule, strength), rule, at)
    if (!marked.has(rule.gate)) add(closed, signature(CLOSED, rule, {}), rule, at)
  }
  for (const [at, rule] of rules.entries()) {
    if (isRefusing(rule)) continue
    const terms = termsOf(rule)
    find(closed, circumstances(rule).map((each) => signature(CLOSED, each, {})), rule, at)
    find(asking, [terms], rule, at)
    if (rule.gate !== CONFIRM_GATE) find(refusing, circumstances(rule).map((each) => signature(rule, each, rule)), rule, at)
    add(asking, terms, rule, at)
  }
  return [...hiders].toSorted(([a], [b]) => a - b).map(([at, hider]): Finding => ({
    code: 'shadowed_rule',
    severity: 'warning',
    pointer: `/gates/rules/${at}`,
    message: `${placeOf(rules[hider], hider)} ${rules[at]?.gate === CONFIRM_GATE && rules[hider]?.gate !== CONFIRM_GATE ? 'always refuses' : 'asks no less of'} the same tools: this rule can never matter`,
    hint: 'remove it, or the one that hides it',
  }))

  /** Notes what hides the rule, where each of its tools is covered under one of the signatures. */
  function find(covers: Covers, signatures: readonly string[], rule: GateRule, at: number): void {
    if (hiders.has(at)) return
    const known = signatures.map((each) => covers.get(each)).filter((cover) => cover !== undefined)
    const firsts = toolsOf(rule).map((tool) => known.map((cover) => cover.firstOf(tool)).filter((first) => first !== undefined))
    if (firsts.every((found) => found.length > 0)) hiders.set(at, Math.max(...firsts.map((found) => Math.min(...found))))
  }
}

function add(covers: Covers, key: string, rule: GateRule, at: number): void {
  const cover = covers.get(key) ?? createNameCover()
  covers.set(key, cover)
  for (const tool of toolsOf(rule)) cover.add(tool, at)
}

function isRefusing({ gate, otherwise }: GateRule): boolean {
  return gate !== CONFIRM_GATE && otherwise !== 'hold'
}

function toolsOf({ tools = ['*'] }: GateRule): readonly string[] {
  return tools
}

function placeOf(rule: GateRule | undefined, at: number): string {
  return rule?.line === undefined ? `rule ${at + 1}` : `the rule in line ${rule.line}`
}

type Circumstances = Pick<GateRule, 'condition' | 'when' | 'annotations' | 'unannotated'>
type Strength = Pick<GateRule, 'key' | 'require'>

/** Those in which a rule applies, and the wider ones. */
function circumstances({ condition, when, annotations, unannotated }: GateRule): readonly Circumstances[] {
  const wider = <T extends object>(own: T): readonly Partial<T>[] => (Object.values(own).every((value) => value === undefined) ? [{}] : [{}, own])
  const times = wider({ condition }).flatMap((a) => wider({ when }).map((b) => ({ ...a, ...b })))
  return wider({ annotations, unannotated }).flatMap((about) => times.map((each) => ({ ...about, ...each }) as Circumstances))
}

/** What a rule asks, and what that contains: who needs a key needs a mark, who asks about a fact needs the mark that keeps it. */
function strengths({ key, require }: GateRule): readonly Strength[] {
  const own: Strength = { ...(key !== undefined && { key }), ...(require !== undefined && { require }) }
  return [own, ...(key !== undefined && require !== undefined ? [{ key }] : []), ...(key !== undefined || require !== undefined ? [{}] : [])]
}

function signature({ gate }: Pick<GateRule, 'gate'>, { condition, when, annotations, unannotated }: Circumstances, { key, require }: Strength): string {
  const hints = annotations && Object.entries(annotations).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([gate, condition, when?.source, hints, unannotated, key?.source, require?.source])
}

/** All that a rule that asks says, but for its tools: another question is asked beside the first. */
function termsOf({ tools: _tools, line: _line, ...terms }: GateRule): string {
  const entries = Object.entries(terms).map(([name, value]): readonly [string, unknown] => [name, isExpression(value) ? value.source : value])
  return JSON.stringify(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function isExpression(value: unknown): value is { readonly source: string } {
  return typeof value === 'object' && value !== null && 'source' in value
}
