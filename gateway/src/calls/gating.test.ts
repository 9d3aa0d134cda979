import { expect, test } from 'vitest'
import { startGateway } from '../stdio/gateway.fixture.ts'
import type { RunningGateway } from '../stdio/gateway.fixture.ts'

const calls = (gateway: RunningGateway): readonly string[] => gateway.forwarded().filter((line) => line.includes('all"'))
const textOf = async (gateway: RunningGateway, id: number): Promise<string> =>
  (await gateway.answer(id)).result?.content?.[0]?.text ?? ''

test('a call whose gate is not marked is answered with the author’s message and never forwarded', async () => {
  const gateway = startGateway()
  gateway.call(1, 'write')
  const { result } = await gateway.answer(1)
  expect(result?.isError).toBe(true)
  expect(result?.content?.[0]?.text).toMatch(/^Call look first\.\n\nNothing was executed\. The gate "looked"/)
  expect(result?._meta?.['dev.callgate/decision']).toMatchObject({ verdict: 'refused', cause: 'gate', gate: 'looked' })
  expect(result?.resultType).toBeUndefined()
  expect(calls(gateway)).toEqual([])
})

test('a success opens the gate for calls that come after its answer', async () => {
  const gateway = startGateway()
  gateway.call(1, 'look')
  expect(await textOf(gateway, 1)).toBe('look done')
  gateway.call(2, 'write')
  expect(await textOf(gateway, 2)).toBe('write done')
})

test.each(['fail', 'task'])('a result that is no success marks nothing: %s', async (tool) => {
  const gateway = startGateway()
  gateway.call(1, tool)
  await gateway.answer(1)
  gateway.call(2, 'write')
  expect(await textOf(gateway, 2)).toContain('Call look first.')
})

test('a call sent beside the one that marks is judged without the mark', async () => {
  const gateway = startGateway()
  gateway.call(1, 'look')
  gateway.call(2, 'write')
  expect(await textOf(gateway, 2)).toContain('Call look first.')
  expect(await textOf(gateway, 1)).toBe('look done')
})

test('the method and the tool are compared as decoded strings', async () => {
  const gateway = startGateway()
  gateway.send('{"jsonrpc":"2.0","id":1,"method":"tools\\u002fcall","params":{"name":"\\u0077rite"}}')
  expect(await textOf(gateway, 1)).toContain('Call look first.')
})

test('a call that runs is forwarded as it came, and its answer comes back as it came', async () => {
  const gateway = startGateway()
  const answer = '{"id":$ID , "result":{"content":[],"big":9007199254740993,"one":1.0},"x":"\\u00e9","jsonrpc":"2.0"}\\r\\n'
  const line = `{ "params" : {"_meta":{"k":1e2},"arguments":{"text":${JSON.stringify(answer.replaceAll('\\r\\n', '\r\n').replaceAll('\\u', '\\u'))} ,"big":9007199254740993},"name":"raw"}, "id":7,"method":"tools/call","more":-0, "jsonrpc":"2.0"}`
  gateway.send(`${line}\r`)
  await gateway.answer(7)
  expect(calls(gateway).at(-1)).toBe(`${line}\r`)
  expect(gateway.received()).toBe(
    '{"id":7 , "result":{"content":[],"big":9007199254740993,"one":1.0},"x":"\\u00e9","jsonrpc":"2.0"}\r\n',
  )
})

test('an answer is delivered in the server’s order', async () => {
  const gateway = startGateway()
  const note = (n: number): string => `{"jsonrpc":"2.0","method":"note","params":{"n":${n}}}\n`
  gateway.call(1, 'raw', JSON.stringify({ text: `${note(1)}{"jsonrpc":"2.0","id":$ID,"result":{"content":[]}}\n${note(2)}` }))
  await gateway.next((message) => message.method === 'note' && JSON.stringify(message.params) === '{"n":2}')
  expect(gateway.messages().map(({ id, method }) => id ?? method)).toEqual(['note', 1, 'note'])
})

test('messages that are no calls pass at once and as they came, a client’s answers with the id of a call among them', async () => {
  const gateway = startGateway()
  gateway.call(1, 'hang')
  const lines = [
    '{"jsonrpc":"2.0","id":1,"result":{"roots":[]}}',
    '{"jsonrpc":"2.0","method":"x","params":[1.0]}',
    '{"jsonrpc":"2.0","id":null,"method":"y"}',
  ]
  gateway.send(...lines, '{"jsonrpc":"2.0","id":"p","method":"ping"}')
  await gateway.answer('p')
  expect(gateway.forwarded()).toEqual(expect.arrayContaining(lines))
})

test('a call with an id that is in flight is refused, and the first one is answered once', async () => {
  const gateway = startGateway()
  gateway.call(1, 'hang')
  gateway.call(1, 'look')
  gateway.call('1', 'look')
  expect((await gateway.next(({ error }) => error !== undefined)).error?.message).toContain('still in flight')
  await gateway.answer('1')
  expect(gateway.messages().filter(({ id }) => id === 1)).toEqual([])
  expect(calls(gateway)).toHaveLength(2)
})

test('requests over the bound are refused with their own id', async () => {
  const gateway = startGateway([], { limits: { inFlight: 2 } })
  for (const id of [1, 2, 3]) gateway.call(id, 'hang')
  expect((await gateway.answer(3)).error?.message).toContain('Too many requests')
})

test('arguments over their bound are refused before they are read', async () => {
  const gateway = startGateway([], { limits: { argumentBytes: 20 } })
  gateway.call(1, 'look', '{"text":"äöüäöü"}')
  gateway.call(2, 'look', '{"text":"abcdefgh"}')
  expect(await textOf(gateway, 1)).toContain('longer than 20 bytes')
  expect(await textOf(gateway, 2)).toBe('look done')
  const entries = await gateway.store.record.read(0, 10)
  expect(entries[0]).toMatchObject({
    kind: 'decision',
    data: { verdict: 'refuse', tool: 'look', cause: 'arguments', reasons: [{ policy: 'gateway', code: 'over_budget' }] },
  })
})

test.each([
  ['null', 'null'],
  ['an array', '[]'],
  ['a string', '"{}"'],
  ['a number without a double', '{"text":1e400}'],
  ['a lone surrogate', '{"text":"\\ud800"}'],
])('arguments that are %s are refused as a result that the model reads', async (_, args) => {
  const gateway = startGateway()
  gateway.call(1, 'look', args)
  expect((await gateway.answer(1)).result).toMatchObject({
    isError: true,
    _meta: { 'dev.callgate/decision': { verdict: 'refused', cause: 'arguments' } },
  })
  expect(calls(gateway)).toEqual([])
})

test('a result of the gateway’s own says resultType only to a client of the protocol that has it', async () => {
  const gateway = startGateway()
  const meta = (version: string): string => `,"_meta":{"io.modelcontextprotocol/protocolVersion":"${version}"}`
  gateway.call(1, 'write', '{}', meta('2026-07-28'))
  gateway.call(2, 'write', '{}', meta('2025-11-25'))
  expect((await gateway.answer(1)).result?.resultType).toBe('complete')
  expect((await gateway.answer(2)).result?.resultType).toBeUndefined()
  const own = gateway.forwarded().find((line) => line.includes('tools/list'))
  expect(own).toMatch(
    /^\{"jsonrpc":"2\.0","id":"callgate:[^"]+","method":"tools\/list","params":\{"_meta":\{"io\.modelcontextprotocol\/protocolVersion":"2026-07-28"\}\}\}$/,
  )
})

test('an answer that nobody asked for under a call’s id is dropped', async () => {
  const gateway = startGateway([], { holdWaitMs: 100 })
  gateway.call(5, 'echo')
  await gateway.hold()
  gateway.call(
    6,
    'raw',
    JSON.stringify({ text: '{"jsonrpc":"2.0","id":5,"result":{"content":[]}}\n{"jsonrpc":"2.0","id":$ID,"result":{}}\n' }),
  )
  await gateway.answer(6)
  expect((await gateway.answer(5)).result?.isError).toBe(true)
  expect(gateway.messages().filter(({ id }) => id === 5)).toHaveLength(1)
})

test('a batch of the server that answers a call is taken apart, another passes as it came', async () => {
  const gateway = startGateway()
  const other = '[{"jsonrpc":"2.0","method":"a"}, {"jsonrpc":"2.0","id":99,"result":{}}]\n'
  gateway.call(
    1,
    'raw',
    JSON.stringify({ text: `${other}[{"jsonrpc":"2.0","method":"b"},{"jsonrpc":"2.0","id":$ID,"result":{"content":[]}}]\n` }),
  )
  await gateway.next(({ id }) => id === 1).catch(() => undefined)
  expect(gateway.received()).toBe(`${other}{"jsonrpc":"2.0","method":"b"}\n{"jsonrpc":"2.0","id":1,"result":{"content":[]}}\n`)
})
