/**
 * One row of the table in docs/policies/primitive-typist.md: what is wanted, the argument that was sent, and what comes of it:
 * a code alone is a refusal, `becomes` a repair, neither an acceptance.
 */
export type PrimitiveRow = {
  readonly wanted: 'integer' | 'boolean' | 'boolean, opted in'
  /** Inclusive; 0 to 100 where it is left out. */
  readonly bounds?: readonly [number | bigint, number | bigint]
  readonly sent: unknown
  readonly becomes?: number | bigint | boolean
  readonly code?: string
}

const opted = 'boolean, opted in'

/** The whole table of contract 7. */
export const PRIMITIVE_TABLE: readonly PrimitiveRow[] = [
  { wanted: 'integer', sent: 7 },
  { wanted: 'integer', sent: '7', becomes: 7, code: 'canonical_integer' },
  { wanted: 'integer', sent: '0', becomes: 0, code: 'canonical_integer' },
  { wanted: 'integer', bounds: [-5, 5], sent: '-3', becomes: -3, code: 'canonical_integer' },
  { wanted: 'integer', bounds: [0, 2n ** 60n], sent: '9007199254740993', becomes: 9007199254740993n, code: 'canonical_integer' },
  { wanted: 'integer', sent: 101, code: 'out_of_range' },
  { wanted: 'integer', sent: '101', code: 'out_of_range' },
  { wanted: 'integer', sent: '99999999999999999999', code: 'out_of_range' },
  { wanted: 'integer', sent: 2 ** 53, code: 'unsafe_integer' },
  { wanted: 'integer', sent: '9'.repeat(1025), code: 'over_budget' },
  { wanted: 'integer', sent: '', code: 'empty' },
  { wanted: 'integer', sent: ' 7', code: 'whitespace' },
  { wanted: 'integer', sent: '7\n', code: 'whitespace' },
  { wanted: 'integer', sent: '\u0667', code: 'non_ascii_digit' },
  { wanted: 'integer', sent: '\uff17', code: 'non_ascii_digit' },
  { wanted: 'integer', sent: '+7', code: 'plus_sign' },
  { wanted: 'integer', sent: ' +7', code: 'plus_sign' },
  { wanted: 'integer', sent: '1,000', code: 'separator' },
  { wanted: 'integer', sent: '1_000', code: 'separator' },
  { wanted: 'integer', sent: '1 000', code: 'separator' },
  { wanted: 'integer', sent: '1e3', code: 'exponent' },
  { wanted: 'integer', sent: '7.0', code: 'fraction' },
  { wanted: 'integer', sent: '7.', code: 'fraction' },
  { wanted: 'integer', sent: '-0', code: 'negative_zero' },
  { wanted: 'integer', sent: '007', code: 'leading_zero' },
  { wanted: 'integer', sent: '7px', code: 'not_an_integer' },
  { wanted: 'integer', sent: '0x10', code: 'not_an_integer' },
  { wanted: 'integer', sent: ' ', code: 'not_an_integer' },
  { wanted: 'integer', sent: 7.5, code: 'not_an_integer' },
  { wanted: 'integer', sent: [7], code: 'not_an_integer' },
  { wanted: 'integer', sent: true, code: 'boolean' },
  { wanted: 'integer', sent: null, code: 'null' },
  { wanted: 'boolean', sent: true },
  { wanted: opted, sent: 'true', becomes: true, code: 'canonical_boolean' },
  { wanted: opted, sent: 'false', becomes: false, code: 'canonical_boolean' },
  { wanted: 'boolean', sent: 'true', code: 'boolean_cast_disabled' },
  { wanted: 'boolean', sent: 'false', code: 'boolean_cast_disabled' },
  { wanted: opted, sent: 'True', code: 'not_a_boolean' },
  { wanted: opted, sent: ' true', code: 'not_a_boolean' },
  { wanted: opted, sent: 'yes', code: 'not_a_boolean' },
  { wanted: opted, sent: 1, code: 'not_a_boolean' },
  { wanted: opted, sent: '0', code: 'not_a_boolean' },
  { wanted: opted, sent: null, code: 'not_a_boolean' },
  { wanted: opted, sent: 'x'.repeat(1025), code: 'over_budget' },
]
