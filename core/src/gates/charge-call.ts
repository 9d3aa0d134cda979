import type { JsonObject } from '../model/json-value.ts'
import type { CompiledGates } from './compile-gates.ts'
import type { CompiledLimit } from './compile-limits.ts'
import { evaluate } from './evaluate.ts'
import type { LimitRule, MarkRule } from './gate-rule.ts'
import type { LimitCharge, MarkClear, RepeatCharge } from './ledger.ts'
import type { PreparedCall } from './prepare-call.ts'
import { readAmount } from './read-amount.ts'
import { readKeys } from './read-keys.ts'

/** Why a limit or a clear cannot be judged, which refuses the call: `arguments` that are at fault, or an error. */
export type ChargeFault = {
  readonly limit?: LimitRule
  readonly mark?: MarkRule
  readonly kind: 'arguments' | 'rule_error'
  readonly why: string
}

/** What a call charges and clears when it is claimed to run. */
export type CallCharge = {
  readonly charges: readonly LimitCharge[]
  /** The limit of each charge. */
  readonly limits: readonly LimitRule[]
  /** There wherever the rules have a limit on repeats: a call between breaks the row. */
  readonly repeat?: RepeatCharge
  /** The strictest limit on repeats that is about the tool. */
  readonly repeatLimit?: LimitRule
  readonly clears: readonly MarkClear[]
  readonly faults: readonly ChargeFault[]
}

const NONE: readonly never[] = Object.freeze([])
const NOTHING: CallCharge = Object.freeze({ charges: NONE, limits: NONE, clears: NONE, faults: NONE })

/** What a call takes (contract 9); `digest` names the call and its arguments. Total: what cannot be judged becomes a fault. */
export function chargeCall(gates: CompiledGates, { terms, argsFault }: PreparedCall, args: JsonObject, digest: string): CallCharge {
  if (terms.limits.length === 0 && terms.clears.length === 0 && !gates.countsRepeats) return NOTHING
  const charges: LimitCharge[] = []
  const limits: LimitRule[] = []
  const clears: MarkClear[] = []
  const faults: ChargeFault[] = []
  for (const limit of terms.limits) {
    const charge = chargeOf(limit, args, argsFault)
    if (charge === undefined) continue
    if ('why' in charge) faults.push(charge)
    else {
      charges.push(charge)
      limits.push(limit.rule)
    }
  }
  for (const mark of terms.clears) {
    const clear = clearOf(mark, args, argsFault)
    if ('why' in clear) faults.push(clear)
    else if (clear.keys === undefined || clear.keys.length > 0) clears.push(clear)
  }
  const repeatLimit = strictestOf(terms.limits)
  return {
    charges,
    limits,
    ...(gates.countsRepeats && { repeat: { digest, max: repeatLimit?.repeats ?? Number.MAX_SAFE_INTEGER } }),
    ...(repeatLimit !== undefined && { repeatLimit }),
    clears,
    faults,
  }
}

function strictestOf(limits: readonly CompiledLimit[]): LimitRule | undefined {
  let strictest: LimitRule | undefined
  for (const { rule } of limits) {
    if (rule.repeats !== undefined && rule.repeats < (strictest?.repeats ?? Infinity)) strictest = rule
  }
  return strictest
}

function chargeOf({ rule, name }: CompiledLimit, args: JsonObject, argsFault: string | undefined): LimitCharge | ChargeFault | undefined {
  const window = rule.perMs === undefined ? {} : { perMs: rule.perMs }
  if (rule.calls !== undefined) return { limit: name, calls: rule.calls, ...window }
  if (rule.sum === undefined) return undefined
  if (argsFault !== undefined) return { limit: rule, kind: 'arguments', why: argsFault }
  const found = evaluate(rule.sum, { args })
  if (found.kind === 'error') return { limit: rule, kind: 'rule_error', why: found.detail }
  const amount = readAmount(found.value)
  if (amount === undefined) return { limit: rule, kind: 'rule_error', why: `${rule.sum.source} is no number, or a negative one` }
  return { limit: name, sum: { amount, max: String(rule.max) }, ...window }
}

/** Where the call does not say which keys it touches, it clears all of them. */
function clearOf(mark: MarkRule, args: JsonObject, argsFault: string | undefined): MarkClear | ChargeFault {
  const { gate, keys } = mark
  if (keys === undefined) return { gate }
  if (argsFault !== undefined) return { mark, kind: 'arguments', why: argsFault }
  const found = evaluate(keys, { args })
  if (found.kind === 'error') return { mark, kind: 'rule_error', why: found.detail }
  const read = readKeys(found.value)
  if (read.kind === 'problem') return { mark, kind: 'rule_error', why: `${keys.source}: ${read.why}` }
  const known = read.keys.filter((key) => key !== undefined)
  return known.length === read.keys.length ? { gate, keys: [...new Set(known)] } : { gate }
}
