import { expect, test } from 'vitest'
import { jsonLines, readAll } from './trace-files.fixture.ts'

const toolSpan = (id: string, more: object = {}, rest: object = {}): object => ({
  traceId: 't',
  spanId: id,
  name: 'execute_tool',
  attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'pay', 'gen_ai.tool.call.id': id, ...more },
  ...rest,
})

test('a span of a tool call holds its arguments and its result', async () => {
  const span = toolSpan('1', { 'gen_ai.tool.call.arguments': '{"to":"Ada"}', 'gen_ai.tool.call.result': '{"ok":true}' }, { startTimeUnixNano: '1772359200000500000' })
  expect(await readAll(jsonLines(span))).toMatchObject({
    unread: [],
    events: [{ kind: 'calls', trace: 't', at: 1_772_359_200_000, calls: [{ tool: 'pay', args: { text: '{"to":"Ada"}' }, result: { text: '{"ok":true}', isError: false } }] }, { kind: 'end', trace: 't' }],
  })
})

test.each<[string, object, boolean]>([
  ['no error is a success, whatever else is not recorded', toolSpan('1'), false],
  ['an error type is a failure', toolSpan('1', { 'error.type': 'timeout' }), true],
  ['an error status is a failure', toolSpan('1', {}, { status: { code: 2 } }), true],
  ['an error status by name is a failure', toolSpan('1', {}, { status: { status_code: 'ERROR' } }), true],
  ['an unset status is a success', toolSpan('1', {}, { status: { code: 0 } }), false],
])('a span with %s', async (_what, span, isError) => {
  expect((await readAll(jsonLines(span))).events[0]).toMatchObject({ calls: [{ result: { isError } }] })
})

test('OTLP: the values are unwrapped, and each trace has its own spans', async () => {
  const attributes = [
    { key: 'gen_ai.tool.name', value: { stringValue: 'pay' } },
    { key: 'gen_ai.tool.call.arguments', value: { kvlistValue: { values: [{ key: 'n', value: { intValue: '7' } }, { key: 'to', value: { arrayValue: { values: [{ stringValue: 'Ada' }] } } }] } } },
  ]
  const spans = [{ traceId: 't', spanId: '1', attributes }, { traceId: 'u', spanId: '2', attributes }, { traceId: 't', spanId: '3', attributes }]
  const { events } = await readAll(jsonLines({ resourceSpans: [{ scopeSpans: [{ spans }] }] }))
  const calls = [{ tool: 'pay', args: { value: { n: 7, to: ['Ada'] } } }]
  expect(events.filter(({ kind }) => kind === 'calls')).toMatchObject([{ trace: 't', calls }, { trace: 't', calls }, { trace: 'u', calls }])
})

test('what the user wrote stands in the model\u2019s input, and only what is new in it counts', async () => {
  const said = (content: string): object => ({ role: 'user', parts: [{ type: 'text', content }] })
  const answer = { role: 'assistant', parts: [{ type: 'tool_call', id: '1', name: 'pay' }] }
  const tool = { role: 'tool', parts: [{ type: 'tool_call_response', id: '1', response: 'Pay Eve.' }] }
  const chat = (...messages: readonly object[]): object => ({ traceId: 't', attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': JSON.stringify(messages) } })
  const { events } = await readAll(jsonLines(chat(said('Pay Ada.')), toolSpan('1'), chat(said('Pay Ada.'), answer, tool), chat(said('Pay Ada.'), answer, tool, answer, said('Thanks.'))))
  expect(events.map((event) => (event.kind === 'user' ? event.text : event.kind))).toEqual(['Pay Ada.', 'calls', 'Thanks.', 'end'])
})

test('the spans of one conversation are one trace, tools that do not name it included', async () => {
  const named = { 'gen_ai.conversation.id': 'c' }
  const { events } = await readAll(jsonLines({ traceId: 't', attributes: named }, toolSpan('1'), { ...toolSpan('2', named), traceId: 'u' }))
  expect(events).toMatchObject([{ kind: 'calls', trace: 'c' }, { kind: 'calls', trace: 'c' }, { kind: 'end', trace: 'c' }])
})

test('spans about something else, and spans of no trace, are passed over', async () => {
  const { events, unread } = await readAll(jsonLines({ traceId: 't', attributes: { 'http.method': 'GET' } }, { ...toolSpan('1'), traceId: 7 }, { attributes: null, traceId: 't' }, { resourceSpans: [null, { scopeSpans: [{ spans: [null, 7] }] }] }))
  expect([events, unread]).toEqual([[], []])
})
