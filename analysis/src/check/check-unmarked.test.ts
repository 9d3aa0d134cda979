import { expect, test } from 'vitest'
import { brief, rule } from './check.fixture.ts'
import { checkUnmarked } from './check-unmarked.ts'

test('a gate that a rule needs and nothing marks is an error, once, with the nearest that is marked', () => {
  const rules = { rules: [rule('looked', ['x']), rule('looked', ['y']), rule('confirn', ['z'])], marks: [{ gate: 'loked', tools: ['l'] }] }
  expect(checkUnmarked(rules).map(({ code, severity, pointer, hint }) => [code, severity, pointer, hint])).toEqual([
    ['gate_never_marked', 'error', '/gates/rules/0/gate', 'did you mean `loked`?'],
    ['gate_never_marked', 'error', '/gates/rules/2/gate', 'did you mean `confirm`?'],
  ])
})

test('a condition that nothing marks is an error where it stands', () => {
  expect(brief(checkUnmarked({ rules: [rule('confirm', ['x'], { condition: 'c' })] }))).toEqual(['error condition_never_marked /gates/rules/0/condition'])
})

test.each([
  ['a tool marks it', { marks: [{ gate: 'a', tools: ['look'] }] }],
  ['the user does', { marks: [{ gate: 'a', from: 'user' }] }],
  ["the host's code does", { external: ['a'] }],
] as const)('nothing is missing where %s', (_, more) => {
  expect(checkUnmarked({ rules: [rule('a', ['x']), rule('confirm', ['y'], { condition: 'a' })], ...more })).toEqual([])
})

test('what only clears a gate does not mark it', () => {
  expect(brief(checkUnmarked({ rules: [rule('a', ['x'])], marks: [{ gate: 'a', tools: ['x'], clear: true }] }))).toEqual(['error gate_never_marked /gates/rules/0/gate'])
})
