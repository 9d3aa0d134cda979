import { isMap } from 'yaml'
import { entriesOf } from './map-entries.ts'
import { nearestWord } from './nearest-word.ts'
import { offsetOf, reportType } from './reader.ts'
import type { JsonSchema, Reader, Reading, Slot } from './reader.ts'
import { quoteText } from './show-text.ts'

/** The keys of a map and how each is read. */
export type Fields = { readonly [key: string]: Reader<unknown> }

type ValueOf<R> = R extends Reader<infer T> ? T : never

/** What a map reads: `Q` names the keys that are always there. */
export type MapValue<F extends Fields, Q extends keyof F> =
  { readonly [K in Q]: ValueOf<F[K]> } & { readonly [K in Exclude<keyof F, Q>]?: ValueOf<F[K]> }

/** How a map is closed. */
export type MapOptions<Q extends string> = {
  readonly required?: readonly Q[]
  /** At least one of these must be there; `why` says what would be wrong without. */
  readonly oneOf?: { readonly keys: readonly string[]; readonly why: string }
  /** Where the other words of the format stand: for keys that got into the wrong map. */
  readonly elsewhere?: { readonly [key: string]: string }
}

/** A map with known keys; any other key is refused by name, where it stands. */
export function map<const F extends Fields, const Q extends keyof F & string = never>(
  fields: F, options: MapOptions<Q>,
): Reader<MapValue<F, Q>> {
  return {
    schema: schemaOf(fields, options),
    read(slot, reading) {
      const node = reading.nodeOf(slot)
      if (!isMap(node)) return reportType(slot, node, 'a map', reading)
      const entries = entriesOf(node, slot, reading)
      const values = new Map<string, unknown>()
      // Keys that another one may stand for: their absence is then no second problem.
      const excused = new Set<string>()
      for (const { key, offset, value } of entries) {
        const field = Object.hasOwn(fields, key) ? fields[key] : undefined
        if (field === undefined) {
          for (const word of reportKey(key, offset, slot, Object.keys(fields), options, reading)) excused.add(word)
        } else if (!values.has(key)) {
          values.set(key, field.read({ label: quoteText(key), node: value, fallback: offset }, reading))
        }
      }
      const isComplete = reportMissing(slot, (key) => values.has(key) || excused.has(key), options, reading)
      const isGood = isComplete && entries.every(({ key }) => values.get(key) !== undefined)
      return isGood ? Object.fromEntries(values) as MapValue<F, Q> : undefined
    },
  }
}

/** Reports a key that is not read here, and returns the keys that it may stand for. */
function reportKey(
  key: string, offset: number, slot: Slot, known: readonly string[], options: MapOptions<string>, reading: Reading,
): readonly string[] {
  const { elsewhere = {} } = options
  const near = nearestWord(key, known)
  const hint = near !== undefined ? `did you mean ${quoteText(near)}?`
    : Object.hasOwn(elsewhere, key) ? `it stands in ${elsewhere[key]}: check the indentation`
    : `known here: ${known.join(', ')}`
  reading.report(offset, 'unknown_key', `${quoteText(key)} is no key of ${slot.label}`, hint)
  return near === undefined ? [] : [near]
}

/** Reports what is missing; true where nothing is. */
function reportMissing(slot: Slot, isThere: (key: string) => boolean, options: MapOptions<string>, reading: Reading): boolean {
  const { required = [], oneOf } = options
  const missing = required.filter((key) => !isThere(key))
  for (const key of missing) {
    reading.report(offsetOf(slot), 'missing_key', `${slot.label} has no ${quoteText(key)}`, `add \`${key}:\``)
  }
  if (oneOf === undefined || oneOf.keys.some(isThere)) return missing.length === 0
  const message = `${slot.label} has no ${oneOf.keys.map(quoteText).join(' and no ')}: ${oneOf.why}`
  reading.report(offsetOf(slot), 'missing_key', message, `add \`${oneOf.keys[0]}:\``)
  return false
}

function schemaOf(fields: Fields, { required = [], oneOf }: MapOptions<string>): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, field.schema])),
    ...(required.length > 0 && { required }),
    ...(oneOf && { anyOf: oneOf.keys.map((key) => ({ required: [key] })) }),
    additionalProperties: false,
  }
}
