import type { JsonObject, JsonValue } from '../model/json-value.ts'
import { isObject } from '../model/json-shape.ts'
import { parseWire } from '../model/parse-wire.ts'
import { asSentence } from './as-sentence.ts'
import type { CompiledGates } from './compile-gates.ts'
import { ask, evaluate, reasonOf } from './evaluate.ts'
import type { ExpressionInput } from './expression.ts'
import type { MarkRule } from './gate-rule.ts'
import type { Mark } from './ledger.ts'
import { makeMarks } from './make-marks.ts'

/** What a tool returned, as far as marks look at it: its structured content, and its text. */
export type ToolReading = { readonly structured?: JsonValue | undefined; readonly text?: string | undefined }

/** Marks to make, and why some were not made, each a sentence that begins with the gate. */
export type MarkReading = { readonly marks: readonly Mark[]; readonly problems: readonly string[] }

/** A reading of a result; where `failed`, the whole call counts as failed and marks nothing, whatever the tool said. */
export type ResultReading = MarkReading & { readonly failed: boolean }

/** What an expression may look at, or why there is nothing to look at. */
type Input = ExpressionInput | { readonly problem: string }
type Inputs = { readonly plain: ExpressionInput; readonly parsed: Input | undefined }

/** The call that succeeded. */
export type MarkingCall = { readonly tool: string; readonly args: JsonObject }

/**
 * What a successful call marks (contract 9). A `failedWhen` that cannot be judged counts as true: doubt closes. An item that
 * cannot be read marks nothing and is a problem. Total.
 */
export function readMarks(gates: CompiledGates, call: MarkingCall, reading: ToolReading, at: number): ResultReading {
  const { marks: rules } = gates.termsOf(call.tool)
  const inputs: Inputs = {
    plain: { args: call.args, result: resultOf(reading.structured, reading.text) },
    parsed: rules.some(({ parse }) => parse === 'json') ? parsedInput(call.args, reading.text) : undefined,
  }
  const problems: string[] = []
  let failed = false
  for (const rule of rules) {
    if (rule.failedWhen === undefined) continue
    const input = inputOf(rule, inputs)
    const answer = 'problem' in input ? { kind: 'error' as const, detail: input.problem } : ask(rule.failedWhen, input)
    if (answer.kind === 'error') problems.push(problemOf(rule, `failedWhen: ${answer.detail}`))
    if (answer.kind !== 'no') failed = true
  }
  if (failed) return { failed, marks: [], problems }
  return { failed, ...collect(rules, (rule) => inputOf(rule, inputs), at) }
}

/** What the user's own words mark (contract 9). Total. */
export function readUserMarks(gates: CompiledGates, text: string, at: number): MarkReading {
  const rules = (gates.source.marks ?? []).filter(({ from }) => from === 'user')
  return collect(rules, () => ({ text }), at)
}

function collect(rules: readonly MarkRule[], input: (rule: MarkRule) => Input, at: number): MarkReading {
  // Of two items that mark the same key of a gate the later one replaces the mark.
  const marks = new Map<string, Mark>()
  const problems: string[] = []
  for (const rule of rules) {
    const made = marksOf(rule, input(rule), at)
    if (typeof made === 'string') problems.push(problemOf(rule, made))
    else for (const mark of made) marks.set(JSON.stringify([mark.gate, mark.key]), mark)
  }
  return { marks: [...marks.values()], problems }
}

/** The marks of one item, or why there are none. */
function marksOf({ gate, keys, keep, expiresMs, uses }: MarkRule, input: Input, at: number): readonly Mark[] | string {
  if ('problem' in input) return input.problem
  const content = { gate, at, expiresMs, uses }
  const found = keys && evaluate(keys, input)
  if (found?.kind === 'error') return `keys: ${found.detail}`
  if (keys !== undefined && found?.value === undefined) return `keys: ${keys.source}: it reads a member that is not there`
  const kept = keep && evaluate(keep, input)
  if (kept?.kind === 'error') return `keep: ${kept.detail}`
  if (keep !== undefined && kept?.value === undefined) return `keep: ${keep.source}: it reads a member that is not there`
  const made = makeMarks({ ...content, ...(found !== undefined && { keys: found }), ...(kept !== undefined && { keep: kept }) })
  return made.kind === 'marks' ? made.marks : made.why
}

function inputOf({ parse }: MarkRule, { plain, parsed }: Inputs): Input {
  return parse === 'json' && parsed !== undefined ? parsed : plain
}

function parsedInput(args: JsonObject, text: string | undefined): Input {
  if (text === undefined) return { problem: 'the result has no text to parse' }
  try {
    return { args, result: resultOf(parseWire(text, ''), text) }
  } catch (error) {
    return { problem: `the text of the result is no JSON: ${reasonOf(error)}` }
  }
}

/** `result.text` is always the tool's own text, so that no content can pretend another one. */
function resultOf(structured: JsonValue | undefined, text: string | undefined): JsonValue {
  if (structured === undefined) return Object.freeze({ text: text ?? '' })
  if (!isObject(structured)) return structured
  if (text === undefined && Object.hasOwn(structured, 'text')) return structured
  return Object.freeze(Object.fromEntries([...Object.entries(structured), ['text', text ?? '']]))
}

function problemOf({ gate, line }: MarkRule, why: string): string {
  return `The gate "${gate}"${line === undefined ? '' : ` (line ${line})`} was not marked: ${asSentence(why)}`
}
