import type { JsonValue } from '@callgate/core'

/**
 * One row of the table in docs/policies/schema-typist.md: the schema of an optional property, what was sent for it, the
 * narrowest tier that repairs it (`opt-in` is strict with `lowercaseBooleans`; `valid` is never touched, `none` refused in all),
 * what it becomes (nothing: the property is dropped), and the code of the repair, or of the refusal in the tier `flexible`.
 */
export type TypingRow = {
  readonly schema: JsonValue
  readonly sent: JsonValue
  readonly tier: 'valid' | 'strict' | 'opt-in' | 'basic' | 'flexible' | 'none'
  readonly outcome?: JsonValue
  readonly code?: string
}

const integer = { type: 'integer' }
const number = { type: 'number' }
const boolean = { type: 'boolean' }
const text = { type: 'string' }
const integers = { type: 'array', items: integer }
const texts = { type: 'array', items: text }
const point = { type: 'object', properties: { x: integer }, required: ['x'] }
const nullable = { anyOf: [integer, { type: 'null' }] }
const status = { enum: ['Open', 'Closed'] }
const shapes = { anyOf: [{ type: 'object', properties: { kind: { const: 'a' }, n: integer } }, { type: 'object', properties: { kind: { const: 'b' }, n: text } }] }

/** The whole table, part by part. */
export const TYPING_TABLE: { readonly [part: string]: readonly TypingRow[] } = {
  'What fits is never touched': [
    { schema: integer, sent: 7, tier: 'valid' },
    { schema: text, sent: '7', tier: 'valid' },
    { schema: text, sent: '{"a":1}', tier: 'valid' },
    { schema: { type: ['integer', 'string'] }, sent: '007', tier: 'valid' },
    { schema: { type: ['string', 'null'] }, sent: 'null', tier: 'valid' },
    { schema: { enum: ['1', '2'] }, sent: '2', tier: 'valid' },
    { schema: { anyOf: [texts, { type: 'null' }] }, sent: ['null'], tier: 'valid' },
    { schema: text, sent: '', tier: 'valid' },
    { schema: { type: ['string', 'null'] }, sent: null, tier: 'valid' },
  ],
  'Integers': [
    { schema: integer, sent: '10', tier: 'strict', outcome: 10, code: 'canonical_integer' },
    { schema: integer, sent: '-3', tier: 'strict', outcome: -3, code: 'canonical_integer' },
    { schema: integer, sent: '9007199254740991', tier: 'strict', outcome: 9007199254740991, code: 'canonical_integer' },
    { schema: { type: ['integer', 'null'] }, sent: '5', tier: 'basic', outcome: 5, code: 'canonical_integer' },
    { schema: nullable, sent: '5', tier: 'basic', outcome: 5, code: 'canonical_integer' },
    { schema: integer, sent: '7.0', tier: 'basic', outcome: 7, code: 'canonical_integer' },
    { schema: integer, sent: ' 7\n', tier: 'flexible', outcome: 7, code: 'trimmed' },
    { schema: integer, sent: '+7', tier: 'flexible', outcome: 7, code: 'canonical_integer' },
    { schema: integer, sent: '1e3', tier: 'flexible', outcome: 1000, code: 'canonical_integer' },
    { schema: integer, sent: '9007199254740992', tier: 'none', code: 'out_of_range' },
    { schema: integer, sent: '1e16', tier: 'none', code: 'out_of_range' },
    { schema: { type: 'integer', maximum: 5 }, sent: '10', tier: 'none', code: 'out_of_range' },
    { schema: integer, sent: '7.5', tier: 'none', code: 'fraction' },
    { schema: integer, sent: '007', tier: 'none', code: 'leading_zero' },
    { schema: integer, sent: '-0', tier: 'none', code: 'negative_zero' },
    { schema: integer, sent: '1,000', tier: 'none', code: 'separator' },
    { schema: integer, sent: '٧', tier: 'none', code: 'non_ascii_digit' },
    { schema: integer, sent: '12px', tier: 'none', code: 'not_an_integer' },
    { schema: integer, sent: '0x10', tier: 'none', code: 'not_an_integer' },
    { schema: integer, sent: true, tier: 'none', code: 'boolean' },
    { schema: integer, sent: 7.5, tier: 'none', code: 'not_an_integer' },
    { schema: integer, sent: ['7'], tier: 'none', code: 'not_an_integer' },
  ],
  'Numbers': [
    { schema: number, sent: '10', tier: 'strict', outcome: 10, code: 'canonical_integer' },
    { schema: number, sent: '0.25', tier: 'strict', outcome: 0.25, code: 'canonical_number' },
    { schema: number, sent: '2.50', tier: 'basic', outcome: 2.5, code: 'canonical_number' },
    { schema: number, sent: '7.0', tier: 'basic', outcome: 7, code: 'canonical_integer' },
    { schema: number, sent: ' 0.5 ', tier: 'flexible', outcome: 0.5, code: 'trimmed' },
    { schema: number, sent: '1e-7', tier: 'flexible', outcome: 1e-7, code: 'canonical_number' },
    { schema: number, sent: '0.0000001', tier: 'flexible', outcome: 1e-7, code: 'canonical_number' },
    { schema: number, sent: '0.10000000000000000001', tier: 'none', code: 'type_mismatch' },
    { schema: number, sent: '1e400', tier: 'none', code: 'out_of_range' },
    { schema: number, sent: 'Infinity', tier: 'none', code: 'type_mismatch' },
    { schema: number, sent: '-0.0', tier: 'none', code: 'negative_zero' },
    { schema: number, sent: '.5', tier: 'none', code: 'type_mismatch' },
    { schema: number, sent: '50%', tier: 'none', code: 'type_mismatch' },
  ],
  'Booleans': [
    { schema: boolean, sent: 'true', tier: 'opt-in', outcome: true, code: 'canonical_boolean' },
    { schema: boolean, sent: 'false', tier: 'opt-in', outcome: false, code: 'canonical_boolean' },
    { schema: { type: ['boolean', 'null'] }, sent: 'false', tier: 'basic', outcome: false, code: 'canonical_boolean' },
    { schema: boolean, sent: 'True', tier: 'flexible', outcome: true, code: 'letter_case' },
    { schema: boolean, sent: 'FALSE', tier: 'flexible', outcome: false, code: 'letter_case' },
    { schema: boolean, sent: ' true', tier: 'none', code: 'not_a_boolean' },
    { schema: boolean, sent: 'yes', tier: 'none', code: 'not_a_boolean' },
    { schema: boolean, sent: '1', tier: 'none', code: 'not_a_boolean' },
    { schema: boolean, sent: 0, tier: 'none', code: 'not_a_boolean' },
  ],
  'Null, and what is left out': [
    { schema: nullable, sent: 'null', tier: 'basic', outcome: null, code: 'null_text' },
    { schema: integer, sent: '', tier: 'flexible', code: 'dropped_empty' },
    { schema: integer, sent: null, tier: 'flexible', code: 'dropped_empty' },
    { schema: text, sent: null, tier: 'flexible', code: 'dropped_empty' },
    { schema: { type: 'string', minLength: 1 }, sent: '', tier: 'flexible', code: 'dropped_empty' },
    { schema: texts, sent: '', tier: 'flexible', code: 'dropped_empty' },
    { schema: integer, sent: 'null', tier: 'none', code: 'not_an_integer' },
    { schema: nullable, sent: 'None', tier: 'none', code: 'not_an_integer' },
  ],
  'Lists and objects': [
    { schema: integers, sent: ['1', '2'], tier: 'basic', outcome: [1, 2], code: 'canonical_integer' },
    { schema: point, sent: { x: '1' }, tier: 'basic', outcome: { x: 1 }, code: 'canonical_integer' },
    { schema: texts, sent: '["007","42"]', tier: 'basic', outcome: ['007', '42'], code: 'json_text' },
    { schema: integers, sent: '[1,2]', tier: 'basic', outcome: [1, 2], code: 'json_text' },
    { schema: point, sent: '{"x":1}', tier: 'basic', outcome: { x: 1 }, code: 'json_text' },
    { schema: { anyOf: [{ type: 'object' }, { type: 'null' }] }, sent: '{"status":"draft"}', tier: 'basic', outcome: { status: 'draft' }, code: 'json_text' },
    { schema: { prefixItems: [integer, text], type: 'array' }, sent: ['1', '2'], tier: 'basic', outcome: [1, '2'], code: 'canonical_integer' },
    { schema: { type: 'object', additionalProperties: integer }, sent: { a: '1' }, tier: 'basic', outcome: { a: 1 }, code: 'canonical_integer' },
    { schema: texts, sent: 'a,b', tier: 'flexible', outcome: ['a,b'], code: 'wrapped_item' },
    { schema: integers, sent: ['1', 'x'], tier: 'none', code: 'not_an_integer' },
    { schema: integers, sent: '5', tier: 'none', code: 'type_mismatch' },
    { schema: texts, sent: '["a"', tier: 'none', code: 'type_mismatch' },
    { schema: { type: 'object' }, sent: '{"a":1,"a":2}', tier: 'none', code: 'type_mismatch' },
    { schema: { type: 'object' }, sent: '[1]', tier: 'none', code: 'type_mismatch' },
    { schema: { type: ['array', 'string'], items: text, maxLength: 3 }, sent: '["a"]', tier: 'none', code: 'constraint' },
  ],
  'Enums and unions': [
    { schema: { enum: [1, 2, 3] }, sent: '2', tier: 'basic', outcome: 2, code: 'enum_member' },
    { schema: { const: 5 }, sent: '5', tier: 'basic', outcome: 5, code: 'enum_member' },
    { schema: status, sent: 'open', tier: 'flexible', outcome: 'Open', code: 'letter_case' },
    { schema: { anyOf: [integer, texts] }, sent: '5', tier: 'basic', outcome: 5, code: 'canonical_integer' },
    { schema: shapes, sent: { kind: 'a', n: '5' }, tier: 'basic', outcome: { kind: 'a', n: 5 }, code: 'canonical_integer' },
    { schema: { anyOf: [integer, texts] }, sent: ' 5', tier: 'none', code: 'ambiguous' },
    { schema: { enum: ['open', 'OPEN'] }, sent: 'Open', tier: 'none', code: 'ambiguous' },
    { schema: { enum: [1, 2, 3] }, sent: ' 2', tier: 'none', code: 'constraint' },
    { schema: { enum: [1, 'two'] }, sent: '1', tier: 'none', code: 'constraint' },
    { schema: status, sent: 'opened', tier: 'none', code: 'constraint' },
    { schema: { anyOf: [integer, { type: 'string', maxLength: 1 }] }, sent: '42', tier: 'none', code: 'type_mismatch' },
    { schema: { anyOf: [integers, texts] }, sent: ['1', 2], tier: 'none', code: 'constraint' },
  ],
}
