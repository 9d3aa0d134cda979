import type { JsonObject } from '../model/json-value.ts'
import type { CompiledGates } from './compile-gates.ts'
import { ask, evaluate, reasonOf } from './evaluate.ts'
import { CONFIRM_GATE } from './gate-rule.ts'
import type { GateRule, ToolAnnotations } from './gate-rule.ts'
import type { MarkQuery } from './ledger.ts'
import { readKeys } from './read-keys.ts'
import type { CompiledRule, ToolTerms } from './tool-terms.ts'

/** What the rules look at of a call. */
export type GateCall = {
  readonly tool: string
  readonly annotations?: ToolAnnotations | undefined
  readonly isListed?: boolean | undefined
  /** The admitted, repaired arguments; absent where they were not admitted. */
  readonly args?: JsonObject | undefined
  /** Why the arguments do not satisfy the tool's schema, or that it is unknown. Asked once, and only where a rule looks at them. */
  readonly argsFault?: (() => string | undefined) | undefined
}

/** Why a rule refuses whatever is marked. */
export type RuleFault = { readonly why: 'no_key' | 'rule_error' | 'arguments'; readonly detail?: string }

/** A rule that is about the call, as far as the arguments decide it: the keys that it needs, or why they cannot be told. */
export type PreparedRule = { readonly rule: GateRule; readonly keys?: readonly string[]; readonly fault?: RuleFault }

/** Why the rules refuse the tool itself. */
export type ToolBlock = { readonly kind: 'deny' | 'allow' | 'unlisted' | 'default' }

/** A call after one look at its arguments: what is left to judge is marks. */
export type PreparedCall = {
  readonly tool: string
  readonly args: JsonObject
  readonly terms: ToolTerms
  readonly blocked?: ToolBlock
  /** Why nothing that looks at arguments can be judged. */
  readonly argsFault?: string
  readonly rules: readonly PreparedRule[]
  /** The marks to load before the call is judged. */
  readonly queries: readonly MarkQuery[]
}

const ASK_FOR_EVERY: GateRule = Object.freeze({ gate: CONFIRM_GATE, message: 'Run {tool}?' })

/** Evaluates all that looks at arguments, once (contract 9). Total: an expression that throws becomes a fault. */
export function prepareCall(gates: CompiledGates, call: GateCall): PreparedCall {
  const terms = gates.termsOf(call.tool, call.annotations)
  const { args = {} } = call
  const argsFault = terms.looksAtArguments ? faultOf(call) : undefined
  const rules: PreparedRule[] = []
  for (const compiled of terms.rules) {
    const prepared = prepareRule(compiled, args, argsFault)
    if (prepared !== undefined) rules.push(prepared)
  }
  const isUnnamed = terms.standing === 'unnamed'
  if (isUnnamed && gates.source.default === 'confirm') rules.push({ rule: ASK_FOR_EVERY })
  const blocked = blockOf(gates, terms, call.isListed)
  return {
    tool: call.tool,
    args,
    terms,
    ...(blocked !== undefined && { blocked: { kind: blocked } }),
    ...(argsFault !== undefined && { argsFault }),
    rules,
    queries: queriesOf(rules),
  }
}

function blockOf({ source }: CompiledGates, { standing }: ToolTerms, isListed = true): ToolBlock['kind'] | undefined {
  if (standing === 'denied') return 'deny'
  if (standing === 'outside') return 'allow'
  if (!isListed && source.unlisted !== 'allow') return 'unlisted'
  return standing === 'unnamed' && source.default === 'refuse' ? 'default' : undefined
}

function faultOf({ args, argsFault }: GateCall): string | undefined {
  if (args === undefined) return 'the arguments were not admitted'
  try {
    return argsFault?.()
  } catch (error) {
    return `the arguments could not be judged: ${reasonOf(error)}`
  }
}

/** Undefined where the rule's `when` says that it is not about this call. */
function prepareRule({ rule, looksAtArguments }: CompiledRule, args: JsonObject, argsFault: string | undefined): PreparedRule | undefined {
  if (!looksAtArguments) return { rule }
  if (argsFault !== undefined) return { rule, fault: { why: 'arguments', detail: argsFault } }
  if (rule.when !== undefined) {
    const answer = ask(rule.when, { args })
    if (answer.kind === 'no') return undefined
    if (answer.kind === 'error') return { rule, fault: { why: 'rule_error', detail: answer.detail } }
  }
  if (rule.key === undefined) return { rule }
  const found = evaluate(rule.key, { args })
  if (found.kind === 'error') return { rule, fault: { why: 'rule_error', detail: found.detail } }
  const read = readKeys(found.value)
  if (read.kind === 'problem') return { rule, fault: { why: 'rule_error', detail: `${rule.key.source}: ${read.why}` } }
  const keys = [...new Set(read.keys)].filter((key) => key !== undefined)
  return keys.length > 0 && !read.keys.includes(undefined) ? { rule, keys } : { rule, fault: { why: 'no_key', detail: rule.key.source } }
}

/** One query a gate: all of its marks where some rule takes any, else those with the keys that are asked for. */
function queriesOf(rules: readonly PreparedRule[]): readonly MarkQuery[] {
  const wanted = new Map<string, Set<string> | 'all'>()
  for (const { rule, keys, fault } of rules) {
    if (rule.condition !== undefined) wanted.set(rule.condition, 'all')
    if (rule.gate === CONFIRM_GATE || fault !== undefined) continue
    const known = wanted.get(rule.gate)
    if (known === 'all') continue
    wanted.set(rule.gate, keys === undefined ? 'all' : new Set([...(known ?? []), ...keys]))
  }
  return [...wanted].map(([gate, keys]) => (keys === 'all' ? { gate } : { gate, keys: [...keys] }))
}
