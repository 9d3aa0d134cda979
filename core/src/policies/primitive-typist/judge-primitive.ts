import type { PrimitiveSchema } from './primitive-schema.ts'
import { readInteger } from './read-integer.ts'
import type { IntegerTextReason } from './read-integer.ts'

/** Why a value is refused where a primitive is wanted; the whole list of contract 7. */
export type PrimitiveReason =
  | IntegerTextReason
  | 'over_budget'
  | 'out_of_range'
  | 'unsafe_integer'
  | 'boolean'
  | 'null'
  | 'not_a_boolean'
  | 'boolean_cast_disabled'

/** What contract 7 says of one value: right as it is, repaired to one value, or refused for one reason. */
export type PrimitiveVerdict =
  | { readonly kind: 'accept' }
  | { readonly kind: 'repair'; readonly value: number | bigint | boolean; readonly code: 'canonical_integer' | 'canonical_boolean' }
  | { readonly kind: 'deny'; readonly code: PrimitiveReason }

// UTF-8 bytes of the longest text that is read at all (contract 2).
const BUDGET_BYTES = 1024

/** Judges one value against a primitive's schema by the table of contract 7; pure, total, bounded by the budget. */
export function judgePrimitive(schema: PrimitiveSchema, value: unknown): PrimitiveVerdict {
  if (typeof value === 'string' && isOverBudget(value)) return deny('over_budget')
  return schema.expected === 'integer' ? judgeInteger(schema, value) : judgeBoolean(schema, value)
}

function judgeInteger(schema: PrimitiveSchema, value: unknown): PrimitiveVerdict {
  switch (typeof value) {
    case 'number':
      if (!Number.isInteger(value)) return deny('not_an_integer')
      if (!Number.isSafeInteger(value)) return deny('unsafe_integer')
      return isWithin(schema, value) ? { kind: 'accept' } : deny('out_of_range')
    case 'bigint':
      return isWithin(schema, value) ? { kind: 'accept' } : deny('out_of_range')
    case 'string': {
      const reading = readInteger(value)
      if (reading.kind === 'refused') return deny(reading.reason)
      if (!isWithin(schema, reading.value)) return deny('out_of_range')
      return { kind: 'repair', value: reading.value, code: 'canonical_integer' }
    }
    case 'boolean':
      return deny('boolean')
    default:
      return deny(value === null ? 'null' : 'not_an_integer')
  }
}

function judgeBoolean(schema: PrimitiveSchema, value: unknown): PrimitiveVerdict {
  if (typeof value === 'boolean') return { kind: 'accept' }
  if (value !== 'true' && value !== 'false') return deny('not_a_boolean')
  if (!schema.allowLowercaseBoolean) return deny('boolean_cast_disabled')
  return { kind: 'repair', value: value === 'true', code: 'canonical_boolean' }
}

function isWithin({ minimum, maximum }: PrimitiveSchema, value: number | bigint): boolean {
  return minimum !== undefined && maximum !== undefined && value >= minimum && value <= maximum
}

/** Counts UTF-8 bytes up to the budget only, so that a huge text costs no more than a small one. */
function isOverBudget(text: string): boolean {
  if (text.length > BUDGET_BYTES) return true
  // No unit takes more than three bytes.
  if (3 * text.length <= BUDGET_BYTES) return false
  let bytes = 0
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
  }
  return bytes > BUDGET_BYTES
}

function deny(code: PrimitiveReason): PrimitiveVerdict {
  return { kind: 'deny', code }
}
