import type { JsonObject } from '../model/json-value.ts'
import { parseWire } from '../model/parse-wire.ts'
import type { CompiledGates } from './compile-gates.ts'
import { ask } from './evaluate.ts'
import type { Expression } from './expression.ts'
import { CONFIRM_GATE } from './gate-rule.ts'
import type { GateRule } from './gate-rule.ts'
import type { Mark, MarkNeed } from './ledger.ts'
import type { PreparedCall, PreparedRule, ToolBlock } from './prepare-call.ts'

/** What is marked, as one call sees it: a condition may be live where a gate is not yet (contract 9: doubt closes). */
export type MarkView = {
  /** The marks of a gate, or those with that key, that are alive and count for this call, first made first. */
  marksOf(gate: string, key?: string): readonly Mark[]
  isConditionLive(gate: string): boolean
}

/**
 * A rule that applies and is not met, and why: nothing is marked, the mark of `key` is missing, the call names no key, what
 * `require` asks is not true of the fact, an expression failed, the arguments cannot be judged, or other calls kept taking the
 * mark before this one could.
 */
export type UnmetGate = {
  readonly rule: GateRule
  readonly why: 'unmarked' | 'missing_key' | 'no_key' | 'require' | 'rule_error' | 'arguments' | 'taken'
  readonly key?: string
  readonly detail?: string
  /** The rule was met by what counted when the call came in, and is not any more. */
  readonly isChanged?: true
}

/** What the rules say of a call. `blocked` comes before `unmet`, which refuse, those before `holds`, those before `confirms`. */
export type GateJudgement = {
  readonly blocked?: ToolBlock
  readonly unmet: readonly UnmetGate[]
  readonly holds: readonly UnmetGate[]
  readonly confirms: readonly GateRule[]
  /** What the met rules rest on, where it may be gone when the call is claimed. */
  readonly needs: readonly MarkNeed[]
  /** The rule of each need. */
  readonly needing: readonly GateRule[]
}

type Shortfall = Omit<UnmetGate, 'rule'>
type Support = { readonly kind: 'met'; readonly needs: readonly MarkNeed[] } | { readonly kind: 'unmet'; readonly shortfall: Shortfall }

/** Judges one prepared call (contract 9). All rules are judged and kept, in file order, whatever comes first. */
export function judgeGates(gates: CompiledGates, prepared: PreparedCall, marks: MarkView): GateJudgement {
  const unmet: UnmetGate[] = []
  const holds: UnmetGate[] = []
  const confirms: GateRule[] = []
  const needs = new Map<string, readonly [MarkNeed, GateRule]>()
  for (const each of prepared.rules) {
    const { rule } = each
    if (rule.condition !== undefined && !marks.isConditionLive(rule.condition)) continue
    const support = supportOf(each, prepared.args, marks)
    if (support.kind === 'unmet') (isRefusal(rule, support.shortfall) ? unmet : holds).push({ rule, ...support.shortfall })
    else if (rule.gate === CONFIRM_GATE) confirms.push(rule)
    else if (gates.isVolatile(rule.gate)) {
      for (const need of support.needs) needs.set(JSON.stringify([need.gate, need.key, need.fact]), [need, rule])
    }
  }
  const found = [...needs.values()]
  const { blocked } = prepared
  return { ...(blocked !== undefined && { blocked }), unmet, holds, confirms, needs: found.map(([need]) => need), needing: found.map(([, rule]) => rule) }
}

/** An error and arguments that cannot be judged refuse: there is nothing that a person could be asked. */
function isRefusal({ otherwise }: GateRule, { why }: Shortfall): boolean {
  return otherwise !== 'hold' || why === 'rule_error' || why === 'arguments'
}

function supportOf({ rule, keys, fault }: PreparedRule, args: JsonObject, marks: MarkView): Support {
  if (fault !== undefined) return { kind: 'unmet', shortfall: fault }
  if (rule.gate === CONFIRM_GATE) return { kind: 'met', needs: [] }
  if (keys === undefined) return anySupport(rule, args, marks)
  const needs: MarkNeed[] = []
  for (const key of keys) {
    const mark = marks.marksOf(rule.gate, key).at(-1)
    if (mark === undefined) return { kind: 'unmet', shortfall: { why: 'missing_key', key } }
    const answer = rule.require === undefined ? 'yes' : askFact(rule.require, mark, args)
    if (answer === 'no') return { kind: 'unmet', shortfall: { why: 'require', key } }
    if (answer !== 'yes') return { kind: 'unmet', shortfall: { why: 'rule_error', key, detail: answer.detail } }
    needs.push(needOf(rule, mark))
  }
  return { kind: 'met', needs }
}

/** Without a key any mark of the gate serves, the first made, with `require` of those whose fact it is true of. The need names it, since others may not count. */
function anySupport(rule: GateRule, args: JsonObject, marks: MarkView): Support {
  const found = marks.marksOf(rule.gate)
  const [first] = found
  if (first === undefined) return { kind: 'unmet', shortfall: { why: 'unmarked' } }
  if (rule.require === undefined) return { kind: 'met', needs: [needOf(rule, first)] }
  for (const mark of found) {
    const answer = askFact(rule.require, mark, args)
    if (answer === 'yes') return { kind: 'met', needs: [needOf(rule, mark)] }
    if (answer !== 'no') return { kind: 'unmet', shortfall: { why: 'rule_error', detail: answer.detail } }
  }
  return { kind: 'unmet', shortfall: { why: 'require' } }
}

/** No fact is no error: nothing is known of it, so the rule is not met. */
function askFact(require: Expression, { fact }: Mark, args: JsonObject): 'yes' | 'no' | { readonly detail: string } {
  if (fact === undefined) return 'no'
  const answer = ask(require, { args, fact: parseWire(fact, '') })
  return answer.kind === 'error' ? answer : answer.kind
}

function needOf({ gate, require }: GateRule, { key, fact }: Mark): MarkNeed {
  return { gate, ...(key !== undefined && { key }), ...(require !== undefined && fact !== undefined && { fact }) }
}
