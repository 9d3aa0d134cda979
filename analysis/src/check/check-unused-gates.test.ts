import { expect, test } from 'vitest'
import { brief, read, rule } from './check.fixture.ts'
import { checkUnusedGates } from './check-unused-gates.ts'

test('a clearing of a gate that no rule has is an error with the nearest that one has; a mark and an external gate are warnings', () => {
  const rules = {
    rules: [rule('invoice_listed', ['set_status']), rule('confirm', ['pay'], { condition: 'late' })],
    marks: [{ gate: 'invoice_listed', tools: ['list'] }, { gate: 'invoice_listd', tools: ['set_status'], clear: true }, { gate: 'far_away', tools: ['x'] }, { gate: 'late', tools: ['x'] }],
    external: ['invoice_listed', 'lat'],
  } as const
  const found = checkUnusedGates(rules)
  expect(brief(found)).toEqual(['error unused_gate /gates/marks/1/gate', 'warning unused_gate /gates/marks/2/gate', 'warning unused_gate /gates/external/1'])
  expect(found.map(({ hint }) => hint)).toEqual(['did you mean `invoice_listed`?', 'correct the name, or remove it', 'did you mean `late`?'])
})

test('a gate that a rule needs or has as its condition is used, whatever marks it carries', () => {
  const keys = read('args.id')
  expect(checkUnusedGates({ rules: [rule('a', ['x']), rule('confirm', ['y'], { condition: 'b' })], marks: [{ gate: 'a', tools: ['l'], keys }, { gate: 'b', from: 'user' }] })).toEqual([])
})
