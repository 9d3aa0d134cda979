import { Candidate } from '@callgate/core'
import type { JsonObject } from '@callgate/core'
import { expect, test } from 'vitest'
import { ArgumentsSchema } from '../arguments-schema.ts'
import { attemptOf, messages, strict } from '../typing.fixture.ts'
import { TYPING_TIERS } from '../repair/typing-tier.ts'

const redact = (pointer: string): boolean => pointer === '/arguments/pin' || pointer === '/arguments/card/number'
const card = { type: 'object', properties: { number: { type: 'integer' }, name: { type: 'string' } } }
const inputSchema = {
  type: 'object',
  properties: { pin: { type: 'integer' }, code: { enum: ['open', 'shut'] }, card, note: { type: 'integer' }, tree: { $ref: '#/$defs/Tree' } },
  $defs: { Tree: { type: 'object', properties: { below: { $ref: '#/$defs/Tree' } } } },
}
const schema = ArgumentsSchema.create({ schemaId: 'tool', version: '1', inputSchema, redact })

/** All that any tier says of these arguments, by way of the policy and of the rules. */
function told(args: unknown, options: object = {}): string {
  const candidate = typeof args === 'string' ? Candidate.of({ arguments: args }) : Candidate.ofArguments(args)
  const said = TYPING_TIERS.flatMap((mode) => messages(strict({ mode, redact, ...options }).evaluate(attemptOf(schema, candidate))))
  const sent = candidate.fields['arguments']
  return [...said, typeof sent === 'string' ? '' : (schema.faultOf(sent as JsonObject) ?? '')].join('\n')
}

test.each<readonly [string, unknown]>([
  ['a text', { pin: 's3cret' }],
  ['a number', { pin: 12.5317 }],
  ['a value below another', { card: { number: 's3cret' } }],
  ['an object as text', { card: '{"number":"s3cret"}' }],
  ['a text where the object should be', { card: 's3cret' }],
  ['broken JSON', { card: '{"number":"s3cret"' }],
  ['whole arguments as text', '{"pin":"s3cret"}'],
  ['whole arguments as broken text', '{"pin":"s3cret"'],
  ['what stands below a redacted place', { pin: { inner: 's3cret' } }],
])('a redacted value is told to nobody: %s', (_, args) => {
  expect(told(args)).not.toMatch(/s3cret|12\.5317/)
  expect(told(args).length).toBeGreaterThan(20)
})

test('of a redacted value its type and length are told, and no guess at what it meant', () => {
  expect(told({ pin: 's3cret' })).toContain('/arguments/pin: a text of 6 characters (not shown) was sent')
  expect(told({ pin: 12.5 })).toContain('a number of 4 characters (not shown)')
  expect(told({ pin: true })).toContain('a boolean (not shown)')
  const enumerated = ArgumentsSchema.create({ schemaId: 'tool', version: '1', inputSchema: { properties: { pin: { enum: ['open', 'shut'] } } } })
  const proposal = strict({ redact }).evaluate(attemptOf(enumerated, { pin: 'shot' }))
  expect(messages(proposal).join()).not.toContain('Did you mean')
})

test('bounds of a tool show no redacted value, nor does a name in another case', () => {
  expect(told({ pin: 77 }, { tools: { tool: { pin: { maximum: 9 } } } })).toContain('a number of 2 characters (not shown) was sent')
  const open = ArgumentsSchema.create({ schemaId: 'tool', version: '1', inputSchema: { additionalProperties: { type: 'integer' } } })
  expect(messages(strict({ redact }).evaluate(attemptOf(open, { PIN: 's3cret' }))).join()).not.toContain('s3cret')
})

test('all other values are shown as ever, and a repair needs no showing', () => {
  expect(told({ note: 'x' })).toContain('/arguments/note: "x" was sent')
  expect(told({ code: 'opn' })).toContain('"opn" was sent')
  const proposal = strict({ redact }).evaluate(attemptOf(schema, { pin: '77' }))
  expect(proposal).toMatchObject({ kind: 'repair', candidate: { fields: { arguments: { pin: 77 } } } })
})

test('a text where an object without end is wanted is not shown: a secret could stand anywhere in it', () => {
  expect(told({ tree: 'maple' })).not.toContain('maple')
})
