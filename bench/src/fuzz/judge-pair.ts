import { isDeepStrictEqual } from 'node:util'
import { AdmissionKernel, Attempt, Candidate, WireNumber } from '@callgate/core'
import type { AdapterDeclaration, Change, Decision, JsonObject, Policy } from '@callgate/core'
import { ArgumentsSchema, SchemaTypistPolicy } from '@callgate/schema-typist'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { TIERS } from '../typing/tiers.ts'
import type { Tier } from '../typing/tiers.ts'
import type { Schema } from './random-schema.ts'

/** What became of one pair in one tier. */
export type PairVerdict = 'unchanged' | 'repaired' | 'refused'

/** What is wrong with a pair: never an exception, an invalid result, a changed valid value. */
export type PairFault = { readonly tier: Tier; readonly what: string }

/** Arguments as a library is handed them, as their JSON text on the wire, or as one JSON text where an object belongs. */
export type SentArguments =
  | { readonly kind: 'object'; readonly args: { readonly [name: string]: unknown } }
  | { readonly kind: 'wire' | 'text'; readonly text: string }

/** One schema, compiled by us and by a validator of its own. */
export type SchemaJudge = {
  /** A fault of the schema as a whole; no pair is judged then. */
  readonly fault: PairFault | undefined
  /** The verdicts of the tiers in their order, or what is wrong. */
  judge(sent: SentArguments): readonly PairVerdict[] | PairFault
}

const ADAPTER: AdapterDeclaration = {
  id: 'fuzz', version: '1', lifecycle: ['pre:tool.call'], identity: true, completeCandidate: true,
  effects: { deny: true, replace: true, hold: false, observe: true },
}
/** Refusals that are never the arguments' fault. */
const OURS_TO_ANSWER: ReadonlySet<string> = new Set(['evaluator_failure', 'not_a_fixed_point', 'not_owned', 'ownership_conflict', 'incomplete', 'unknown_event', 'adapter_unfit', 'cannot_replace'])

/** Makes judges of the policy that `policyOf` gives for a tier; they share one kernel a tier. */
export function createJudges(policyOf: (tier: Tier) => Policy = typist): (schema: Schema & object) => SchemaJudge {
  const kernels = TIERS.map((tier) => ({ tier, kernel: new AdmissionKernel([policyOf(tier)]) }))
  return (inputSchema) => {
    const schema = ArgumentsSchema.create({ schemaId: 'fuzz', version: '1', inputSchema })
    const isValid = validatorOf(inputSchema)
    if (!schema.compiles) return { fault: { tier: 'strict', what: `the schema does not compile: ${schema.problem}` }, judge: () => [] }
    return {
      fault: undefined,
      judge(sent) {
        const verdicts: PairVerdict[] = []
        let before: JsonObject | undefined
        for (const { tier, kernel } of kernels) {
          const candidate = candidateOf(sent)
          const decision = admit(kernel, candidate, schema)
          if (typeof decision === 'string') return { tier, what: decision }
          const fault = faultOf(decision, candidate, isValid)
          if (fault !== undefined) return { tier, what: fault }
          const result = decision.verdict === 'run' ? (decision.candidate.fields['arguments'] as JsonObject) : undefined
          // Each tier contains the one before.
          if (before !== undefined && !isDeepStrictEqual(before, result)) return { tier, what: `a lower tier gives ${show(before)}, this one ${show(result)}` }
          before = result
          verdicts.push(decision.verdict !== 'run' ? 'refused' : decision.changes.length === 0 ? 'unchanged' : 'repaired')
        }
        return verdicts
      },
    }
  }
}

function typist(mode: Tier): Policy {
  return new SchemaTypistPolicy({ mode, lowercaseBooleans: true })
}

function candidateOf(sent: SentArguments): Candidate {
  switch (sent.kind) {
    case 'object':
      return Candidate.ofArguments(sent.args)
    case 'wire':
      return Candidate.ofWire(sent.text)
    case 'text':
      return Candidate.of({ arguments: sent.text })
  }
}

function admit(kernel: AdmissionKernel, candidate: Candidate, schema: ArgumentsSchema): Decision | string {
  try {
    return kernel.admit(Attempt.create({ phase: 'pre', event: 'tool.call', target: { adapter: 'fuzz', tool: 'tool' }, candidate, schema }), ADAPTER)
  } catch (error) {
    return `an exception: ${error instanceof Error ? error.stack : String(error)}`
  }
}

function faultOf({ verdict, candidate, changes, reasons, trace }: Decision, before: Candidate, isValid: (args: unknown) => boolean): string | undefined {
  const sent = before.fields['arguments']
  const failure = reasons.find(({ code }) => OURS_TO_ANSWER.has(code))
  if (failure !== undefined) return `${failure.code}: ${failure.message} ${JSON.stringify(trace).slice(0, 1_000)}`
  if (verdict === 'run' && !isValid(candidate.fields['arguments'])) return `an invalid result: ${show(candidate.fields['arguments'])}`
  const wasValid = isValid(sent)
  if (wasValid && changes.length > 0) return `valid arguments were changed: ${show(candidate.fields['arguments'])}`
  if (wasValid && candidate !== before) return 'valid arguments are not the same candidate'
  if (wasValid && verdict !== 'run' && !reasons.every(({ code }) => code === 'unsafe_integer')) return `valid arguments were refused: ${reasons.map(({ code, message }) => `${code} ${message}`).join('; ')}`
  const unfounded = verdict === 'run' ? changes.find((change) => !isFounded(change)) : undefined
  return unfounded === undefined ? undefined : `a change of what is no text: ${unfounded.pointer}: ${show(unfounded.before)} to ${show(unfounded.after)}`
}

/** Only text is repaired towards a type; only a null or an empty text may be dropped. */
function isFounded({ before, after }: Change): boolean {
  return after === undefined ? before === null || before === '' : typeof before === 'string'
}

function validatorOf(inputSchema: Schema & object): (args: unknown) => boolean {
  const options = { strict: false, ownProperties: true, validateFormats: false, logger: false, meta: false, validateSchema: false } as const
  const validator = '$schema' in inputSchema ? new Ajv(options) : new Ajv2020(options)
  // The validator's own divides doubles, and takes 1e300 for no multiple of 2 or, with a precision, 1e-7 for one.
  validator.removeKeyword('multipleOf').addKeyword({ keyword: 'multipleOf', type: 'number', schemaType: 'number', validate: isPrintedMultiple })
  const validate = validator.compile('$schema' in inputSchema ? (withoutSiblings(inputSchema) as object) : inputSchema)
  return (args) => {
    try {
      return validate(doubles(args))
    } catch {
      // It compares values by their own `toString`, and throws where arguments have one that is none: what it cannot judge must not run.
      return false
    }
  }
}

const BESIDE_REFERENCE: ReadonlySet<string> = new Set(['$ref', '$schema', '$id', '$defs', 'definitions'])

/** What draft-07 reads of a schema: nothing that stands beside a `$ref`, which the validator would count. */
function withoutSiblings(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutSiblings)
  if (typeof schema !== 'object' || schema === null) return schema
  const isReference = '$ref' in schema && typeof schema.$ref === 'string'
  const entries = Object.entries(schema).filter(([key]) => !isReference || BESIDE_REFERENCE.has(key))
  return Object.fromEntries(entries.map(([key, value]) => [key, withoutSiblings(value)]))
}

/** For divisors with at most one decimal: by the digits of ten times the number, as the number is printed. */
function isPrintedMultiple(divisor: number, value: number): boolean {
  const [, whole = '', fraction = '', exponent = '0'] = /^-?(\d+)(?:\.(\d+))?(?:e(.+))?$/.exec(String(value)) ?? []
  const shift = Number(exponent) + 1 - fraction.length
  return shift >= 0 && BigInt(whole + fraction + '0'.repeat(shift)) % BigInt(divisor * 10) === 0n
}

/** The doubles that a validator reads. */
function doubles(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'object' || value === null) return value
  if (WireNumber.isWireNumber(value)) return value.value
  if (Array.isArray(value)) return value.map(doubles)
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, doubles(child)]))
}

function show(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? `${each}n` : each))?.slice(0, 500) ?? 'nothing'
}
