import { expect, test } from 'vitest'
import { named } from './check.fixture.ts'
import { checkLooks } from './check-looks.ts'

const SPOOF = 'verify_u\u0455er'
const inRules = (...names: readonly string[]): readonly { name: string; pointer: string }[] => names.map((name, at) => ({ name, pointer: `/gates/allow/${at}` }))

test('a tool that only looks like one of the rules is another tool, and a warning spells it out', () => {
  expect(checkLooks(named('verify_user', SPOOF), inRules('verify_user'))).toEqual([{
    code: 'confusable_tool', severity: 'warning', pointer: '/gates/allow/0',
    message: 'the server has a tool `verify_u\\u{455}er` that looks like `verify_user` and is another one',
    hint: 'name it in the rules too, or put it under `deny`',
  }])
})

test.each([
  ['the rules name both', ['verify_user', SPOOF], ['verify_user', SPOOF]],
  ['the server has no other', ['verify_user', 'pay'], ['verify_user']],
  ['the server has the other alone, which is an unknown tool', [SPOOF], ['verify_user']],
  ['a pattern names it', ['verify_user', SPOOF], ['verify_*']],
])('there is no warning where %s', (_, tools, names) => {
  expect(checkLooks(named(...tools), inRules(...names))).toEqual([])
})

test.each([['pay\u200b', 'pay'], ['\u0440ay', 'pay'], ['\uff50ay', 'pay'], ['l00k', 'look'], ['1ist', 'list']])('%j looks like %j', (spoof, name) => {
  expect(checkLooks(named(name, spoof), inRules(name))).toHaveLength(1)
})
