import { expect, test } from 'vitest'
import { createCaseIndex } from './letter-case.ts'
import { attemptOf, objectSchema, said, strict } from '../typing.fixture.ts'

const flexible = strict({ mode: 'flexible' })

test('the members in whatever case are found, each once, in their order', () => {
  const members = createCaseIndex(['Open', 'closed', 'OPEN', 'Open'])
  expect(members('open')).toEqual(['Open', 'OPEN'])
  expect(members('CLOSED')).toEqual(['closed'])
  expect(members('opened')).toEqual([])
})

test.each([
  ['the Kelvin sign', 'k', '\u212a'],
  ['the Angstrom sign', 'å', '\u212b'],
  ['the long s', 's', '\u017f'],
  ['the sharp s', 'SS', 'ß'],
  ['the dotless i', 'I', 'ı'],
  ['a ligature', 'FI', 'ﬁ'],
])('%s is no letter case of another letter', (_, member, text) => {
  expect(createCaseIndex([member])(text)).toEqual([])
  expect(said(flexible.evaluate(attemptOf(objectSchema({ unit: { enum: [member] } }), { unit: text })))).toEqual({ deny: ['constraint /arguments/unit'] })
})

test('letters of other scripts have cases too', () => {
  expect(createCaseIndex(['Ärger', 'Ωmega', 'Жук'])('ÄRGER')).toEqual(['Ärger'])
  expect(createCaseIndex(['Ωmega'])('ωMEGA')).toEqual(['Ωmega'])
  expect(createCaseIndex(['Жук'])('жУК')).toEqual(['Жук'])
})

test('a long list against a long enum is read in a time that grows with their sum, or nearly', () => {
  const members = Array.from({ length: 15_000 }, (_, at) => `Item${at}`)
  const schema = objectSchema({ items: { type: 'array', items: { enum: members } } })
  const sent = members.slice(0, 4_000).map((member) => member.toLowerCase())
  const started = performance.now()
  const proposal = flexible.evaluate(attemptOf(schema, { items: sent }))
  expect(proposal.kind === 'repair' && proposal.candidate.fields['arguments']).toEqual({ items: members.slice(0, 4_000) })
  expect(performance.now() - started).toBeLessThan(8_000)
})
