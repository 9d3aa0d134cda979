import type { GateRules } from '@callgate/core'
import { expect, test } from 'vitest'
import { brief, named, rule } from './check.fixture.ts'
import { checkTools } from './check-tools.ts'

test('a name that the server does not have is an error wherever it stands, with the nearest one', () => {
  const rules: GateRules = {
    rules: [rule('read', ['wirte'])], marks: [{ gate: 'read', tools: ['look', 'Look'] }], allow: ['lok'], deny: ['xyz'], limits: [{ tools: ['pya'], calls: 1 }],
  }
  const findings = checkTools(rules, named('look', 'write', 'pay'), [{ name: 'writ', pointer: '/typing/tools/writ' }])
  expect(findings.map(({ code, severity, pointer, hint }) => [code, severity, pointer, hint])).toEqual([
    ['unknown_tool', 'error', '/gates/rules/0/tools/0', 'did you mean `write`?'],
    ['unknown_tool', 'error', '/gates/marks/0/tools/1', 'did you mean `look`?'],
    ['unknown_tool', 'error', '/gates/allow/0', 'did you mean `look`?'],
    ['unknown_tool', 'error', '/gates/deny/0', 'tools are named as the server lists them, case and all'],
    ['unknown_tool', 'error', '/gates/limits/0/tools/0', 'did you mean `pay`?'],
    ['unknown_tool', 'error', '/typing/tools/writ', 'did you mean `write`?'],
  ])
})

test('without the tools of the server no name is unknown', () => {
  expect(checkTools({ rules: [rule('a', ['x', 'y*'])] }, undefined)).toEqual([])
})

test('a name with its server before it is told the bare one', () => {
  expect(checkTools({ rules: [rule('confirm', ['mcp__filesystem__delete'])] }, named('delete', 'read'))).toMatchObject([{ hint: 'did you mean `delete`?' }])
})

test('a name in other letters that look the same is spelled out, one in another case is not said to look the same', () => {
  const [alike, cased] = checkTools({ rules: [rule('confirm', ['p\u0430y', 'Pay'])] }, named('pay'))
  expect(alike).toMatchObject({ code: 'unknown_tool', message: 'the server has no tool `p\\u{430}y`; its `pay` is written with other letters that look the same', hint: 'did you mean `pay`?' })
  expect(cased).toMatchObject({ code: 'unknown_tool', message: 'the server has no tool `Pay`', hint: 'did you mean `pay`?' })
})

test('a pattern about nothing is an error, one about everything a warning', () => {
  expect(brief(checkTools({ rules: [rule('confirm', ['drop_*', '*', 'a*', 'ab*'])] }, named('ab', 'ac')))).toEqual([
    'error pattern_matches_nothing /gates/rules/0/tools/0', 'warning pattern_matches_all /gates/rules/0/tools/1', 'warning pattern_matches_all /gates/rules/0/tools/2',
  ])
  expect(brief(checkTools({ rules: [rule('confirm', ['*'])] }, undefined))).toEqual(['warning pattern_matches_all /gates/rules/0/tools/0'])
  expect(checkTools({ rules: [], allow: ['*'] }, named('ab', 'ac'))).toEqual([])
})

test('several stars are as one', () => {
  expect(checkTools({ rules: [], deny: ['**'] }, undefined).map(({ code }) => code)).toEqual(['pattern_matches_all'])
})
