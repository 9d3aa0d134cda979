import type { GateRules } from '@callgate/core'
import { expect, test } from 'vitest'
import { brief, named, rule } from './check.fixture.ts'
import { checkExamples, exampleTools } from './check-examples.ts'

const RULES: GateRules = { rules: [rule('a', ['x']), rule('confirm', ['pay'])], marks: [{ gate: 'a', tools: ['look'] }], deny: ['drop'] }

test('an example that comes out otherwise is an error that says how', async () => {
  const findings = await checkExamples(RULES, [
    { call: { tool: 'x' }, expect: 'refuse', by: 'a' }, { call: { tool: 'pay' }, expect: 'hold', by: 'confirm' },
    { call: { tool: 'drop' }, expect: 'refuse', by: 'deny' }, { call: { tool: 'look' }, expect: 'run' },
    { call: { tool: 'x' }, expect: 'run' }, { call: { tool: 'pay' }, expect: 'hold', by: 'a' },
  ])
  expect(findings.map(({ pointer, message }) => [pointer, message])).toEqual([
    ['/examples/4', 'the call of `x` is to run, and the rules say refuse by `a`'],
    ['/examples/5', 'the call of `pay` is to hold by `a`, and the rules say hold by `confirm`'],
  ])
})

test('nothing came before an example: what another one marks does not count', async () => {
  expect(await checkExamples(RULES, [{ call: { tool: 'look' }, expect: 'run' }, { call: { tool: 'x' }, expect: 'refuse', by: 'a' }])).toEqual([])
})

test('by is the first that decides, where several refuse', async () => {
  const rules = { rules: [rule('b', ['x']), rule('a', ['x'])], external: ['a', 'b'] }
  expect(await checkExamples(rules, [{ call: { tool: 'x' }, expect: 'refuse', by: 'b' }])).toEqual([])
  expect(brief(await checkExamples(rules, [{ call: { tool: 'x' }, expect: 'refuse', by: 'a' }]))).toEqual(['error failing_example /examples/0'])
})

test('an example is judged with what the server says of its tool, where that is known', async () => {
  const rules: GateRules = { rules: [{ gate: 'confirm', message: 'Sure?', annotations: { destructiveHint: true }, unannotated: false }] }
  const examples = [{ call: { tool: 'drop' }, expect: 'hold', by: 'confirm' }] as const
  expect(await checkExamples(rules, examples, { tools: [{ name: 'drop', annotations: { destructiveHint: true } }] })).toEqual([])
  expect(brief(await checkExamples(rules, examples))).toEqual(['error failing_example /examples/0'])
})

test('a tool that the server does not list is refused as such', async () => {
  const examples = [{ call: { tool: 'other' }, expect: 'refuse', by: 'unlisted' }] as const
  expect(await checkExamples(RULES, examples, { tools: named('x') })).toEqual([])
  expect(brief(await checkExamples(RULES, examples))).toEqual(['error failing_example /examples/0'])
})

test('the tools of examples are names in the file, unless one is to be unlisted', () => {
  const examples = [{ call: { tool: 'x' }, expect: 'run' }, { call: { tool: 'y' }, expect: 'refuse', by: 'unlisted' }] as const
  expect(exampleTools(examples)).toEqual([{ name: 'x', pointer: '/examples/0/call/tool' }])
})
