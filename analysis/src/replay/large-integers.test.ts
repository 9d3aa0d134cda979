import type { Expression, GateRules } from '@callgate/core'
import { expect, test } from 'vitest'
import { readAll } from '../traces/trace-files.fixture.ts'
import { arg, shortly, verdictsOf } from './replay.fixture.ts'

const IDS: Expression = { source: 'result.ids', evaluate: ({ result }) => (result as { readonly ids: unknown }).ids }
const rules = [{ gate: 'seen', tools: ['pay'], message: 'See it first.', key: arg('id') }]
const FROM_VALUE: GateRules = { rules, marks: [{ gate: 'seen', tools: ['list'], keys: IDS }] }
const FROM_TEXT: GateRules = { rules, marks: [{ gate: 'seen', tools: ['list'], keys: IDS, parse: 'json' }] }
const RECORD: GateRules = { rules, marks: [{ gate: 'seen', tools: ['list'], keys: arg('ids') }] }

const listing = (id: string): string => `{"ids":[${id}]}`
const line = (...messages: readonly string[]): string => `{"id":"a","messages":[${messages.join(',')}]}\n`
const entry = (seq: number, kind: string, call: string, data: string): string =>
  `{"seq":${seq},"hash":"x","kind":"${kind}","session":"s","principal":"p","call":"${call}","at":${seq},"data":${data}}\n`
const span = (id: string, tool: string, kind: string, args: string, result: string): string =>
  `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"t","spanId":"${id}","attributes":[{"key":"gen_ai.tool.name","value":{"stringValue":"${tool}"}},`
  + `{"key":"gen_ai.tool.call.arguments","value":{"kvlistValue":{"values":[{"key":"id","value":{"intValue":${args}}}]}}},{"key":"gen_ai.tool.call.result","value":{"${kind}":${result}}}]}]}]}]}\n`

const FORMS: readonly (readonly [form: string, gates: GateRules, text: (listed: string, id: string) => string])[] = [
  ['Anthropic blocks', FROM_TEXT, (listed, id) => line(
    '{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"list","input":{}}]}',
    `{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":${JSON.stringify(listing(listed))}}]}`,
    `{"role":"assistant","content":[{"type":"tool_use","id":"2","name":"pay","input":{"id":${id}}}]}`,
    '{"role":"user","content":[{"type":"tool_result","tool_use_id":"2","content":"ok"}]}',
  )],
  ...[FROM_VALUE, FROM_TEXT].map((gates) => ['AI SDK parts', gates, (listed: string, id: string) => line(
    '{"role":"assistant","content":[{"type":"tool-call","toolCallId":"1","toolName":"list","input":{}}]}',
    `{"role":"tool","content":[{"type":"tool-result","toolCallId":"1","output":{"type":"json","value":${listing(listed)}}}]}`,
    `{"role":"assistant","content":[{"type":"tool-call","toolCallId":"2","toolName":"pay","input":{"id":${id}}}]}`,
  )] as const),
  ['structured content', FROM_VALUE, (listed, id) => line(
    '{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"list","arguments":"{}"}}]}',
    `{"role":"tool","tool_call_id":"1","content":"listed","structured_content":${listing(listed)}}`,
    `{"role":"assistant","tool_calls":[{"id":"2","function":{"name":"pay","arguments":"{\\"id\\":${id}}"}}]}`,
  )],
  ['OTLP values as text', FROM_TEXT, (listed, id) => span('1', 'list', 'stringValue', '1', JSON.stringify(listing(listed))) + span('2', 'pay', 'stringValue', `"${id}"`, '"ok"')],
  ['OTLP values as numbers', FROM_TEXT, (listed, id) => span('1', 'list', 'stringValue', '1', JSON.stringify(listing(listed))) + span('2', 'pay', 'stringValue', id, '"ok"')],
  ['our own record', RECORD, (listed, id) => entry(1, 'decision', '1', `{"tool":"list","args":${listing(listed)},"verdict":"run"}`) + entry(2, 'outcome', '1', '{"outcome":"ran"}')
    + entry(3, 'decision', '2', `{"tool":"pay","args":{"id":${id}},"verdict":"run"}`)],
]

const [ONE, OTHER] = ['9007199254740992', '9007199254740993'] as const

test.each(FORMS)('in %s an integer beyond 2^53 is never rounded to the one beside it', async (_form, gates, text) => {
  for (const [listed, id, verdict] of [[ONE, ONE, 'ran'], [OTHER, OTHER, 'ran'], [ONE, OTHER, 'refused by seen'], [OTHER, ONE, 'refused by seen']] as const) {
    const { events, unread } = await readAll(text(listed, id))
    expect([await shortly(events, gates), unread]).toEqual([['ran', verdict], []])
    expect((await verdictsOf(events, gates))[1]?.args).toBe(`{"id":${id}}`)
  }
})

test('a number that nothing comes near is refused, as live', async () => {
  const { events } = await readAll(line('{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"pay","input":{"id":1e400}}]}'))
  expect(await shortly(events, FROM_VALUE)).toEqual(['refused by arguments'])
})
