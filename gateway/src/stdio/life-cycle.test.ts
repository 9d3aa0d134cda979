import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import { local } from '@callgate/core/local'
import { expect, test } from 'vitest'
import { isAlive, pidIn, startGateway, temporaryFolder, until } from './gateway.fixture.ts'
import type { StdioGatewayOptions } from './stdio-gateway-options.ts'

const QUICK = { timings: { exitMs: 300, killMs: 300, drainMs: 2_000 } }

test('a server that dies in a call: every request is answered once, and its exit code is ours', async () => {
  const gateway = startGateway([], { holdWaitMs: 60_000 })
  gateway.send('{"jsonrpc":"2.0","id":"r","method":"resources/list"}')
  gateway.call('held', 'echo')
  await gateway.hold()
  gateway.call('d', 'die')
  expect(await gateway.exit).toBe(3)
  const errorOf = (id: string): string | undefined => gateway.messages().find((message) => message.id === id)?.error?.message
  expect(errorOf('d')).toBe(
    'The server has ended (exit code 3). The call had been sent to it: whether it was carried out is unknown.',
  )
  expect(errorOf('held')).toBe('The server has ended (exit code 3). Nothing was executed.')
  expect(errorOf('r')).toBe('The server has ended (exit code 3). Whether the request was carried out is unknown.')
  expect(gateway.messages()).toHaveLength(3)
})

test('the record says that the outcome of a call whose server died is unknown', async () => {
  const gateway = startGateway()
  gateway.call(1, 'die')
  await gateway.exit
  const entries = await gateway.store.record.read(0, 10)
  expect(entries.map(({ kind, data }) => [kind, data['verdict'] ?? data['outcome']])).toEqual([
    ['decision', 'run'],
    ['outcome', 'unknown'],
  ])
})

test.each([
  ['a program that is missing', ['/nowhere/at-all'], 'there is no program "/nowhere/at-all"'],
  ['no program at all', [''], 'no program was named'],
  ['a name with a NUL', ['a\0b'], 'null bytes'],
  ['a folder', ['/'], '"/" may not be run'],
  ['a server that ends at once', [process.execPath, '-e', 'process.exit(7)'], 'it ended (exit code 7) before its first message'],
  [
    'a server that says something and ends',
    [process.execPath, '-e', 'console.log("usage: x"); process.exit(0)'],
    'it ended (exit code 0) before its first message',
  ],
])('%s: exit code 2, a clear line, and the pending request is answered', async (_, command, said) => {
  const gateway = startGateway([], { command })
  gateway.send('{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}')
  expect(await gateway.exit).toBe(2)
  expect(gateway.logged.join('\n')).toContain(`The server did not start: `)
  expect(gateway.logged.join('\n')).toContain(said)
  expect(gateway.messages().map(({ id, error }) => [id, error?.message.startsWith('The server did not start')])).toEqual([
    [0, true],
  ])
})

test('when the client closes, answers in flight still come, then the server ends and its code is ours', async () => {
  const gateway = startGateway()
  gateway.call(1, 'look')
  gateway.input.end()
  expect(await gateway.exit).toBe(0)
  expect(gateway.messages().map(({ id, result }) => [id, result?.isError])).toEqual([[1, undefined]])
})

test('when the client closes, a held call is answered and its hold stays for the person', async () => {
  const gateway = startGateway([], { holdWaitMs: 60_000 })
  gateway.call(1, 'echo')
  const { id } = await gateway.hold()
  gateway.input.end()
  expect(await gateway.exit).toBe(0)
  expect((await gateway.answer(1)).result?.content?.[0]?.text).toContain(`Waiting for approval ${id}`)
  expect((await gateway.store.holds.get(id))?.status).toBe('pending')
})

test('when the client closes, a request that gets no answer is waited for within bounds, then answered', async () => {
  const gateway = startGateway([], { timings: { drainMs: 200 } })
  gateway.call(1, 'hang')
  await expect.poll(() => gateway.forwarded().join()).toContain('"hang"')
  gateway.input.end()
  expect(await gateway.exit).toBe(0)
  expect((await gateway.answer(1)).error?.message).toContain('whether it was carried out is unknown')
})

test('half a line before the close is dropped, saying so, and never forwarded', async () => {
  const gateway = startGateway()
  gateway.send('{"jsonrpc":"2.0","id":1,"method":"ping"}')
  gateway.input.end('{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"look"}}')
  await gateway.exit
  expect(gateway.forwarded()).toHaveLength(1)
  expect(gateway.messages().map(({ id, error }) => [id, error?.code])).toEqual(
    expect.arrayContaining([
      [1, undefined],
      [null, -32_700],
    ]),
  )
  expect(gateway.logged.join()).toContain('the client ended inside a message')
})

test('garbage on the server’s stdout goes to the log, cut and made visible; the rest lives', async () => {
  const gateway = startGateway()
  const garbage = `listening\u001b[2J on 80\n${'x'.repeat(10_000)}\n\n42\n`
  gateway.call(1, 'raw', JSON.stringify({ text: `${garbage}{"jsonrpc":"2.0","id":$ID,"result":{"content":[]}}\n` }))
  await gateway.answer(1)
  expect(gateway.received()).toBe('{"jsonrpc":"2.0","id":1,"result":{"content":[]}}\n')
  expect(gateway.logged[0]).toBe('the server wrote to stdout what is no message: listening\\u{1b}[2J on 80')
  expect(gateway.logged[1]?.length).toBeLessThan(300)
  expect(gateway.logged).toHaveLength(3)
})

test('what the server started ends with it, and a server that will not go is killed', async () => {
  const file = join(temporaryFolder(), 'pid')
  const gateway = startGateway(['--child', file, '--stubborn'], QUICK)
  const pid = await pidIn(file)
  gateway.input.end()
  expect(await gateway.exit).toBe(128 + 9)
  await expect.poll(() => isAlive(pid)).toBe(false)
})

test('a process that the server leaves behind does not outlive it, nor keep the gateway', async () => {
  const file = join(temporaryFolder(), 'pid')
  const gateway = startGateway(['--child', file], QUICK)
  const pid = await pidIn(file)
  gateway.call(1, 'die')
  expect(await gateway.exit).toBe(3)
  await expect.poll(() => isAlive(pid)).toBe(false)
})

test('told to end, the gateway ends the server and answers what waits', async () => {
  const gateway = startGateway([], QUICK)
  gateway.call(1, 'hang')
  await until(
    () => (gateway.forwarded().join().includes('hang') ? true : undefined),
    () => 'not forwarded',
  )
  gateway.stop()
  expect(await gateway.exit).toBe(128 + 15)
  expect((await gateway.answer(1)).error?.message).toMatch(/^The gateway was told to end\. /)
})

test('a client that reads no more ends the gateway', async () => {
  const output = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
  })
  const gateway = startGateway([], { output })
  gateway.send('{"jsonrpc":"2.0","id":1,"method":"ping"}')
  expect(await gateway.exit).toBe(0)
})

test('a message of the client over the bound ends the connection with a clear answer', async () => {
  const gateway = startGateway([], { limits: { lineBytes: 1_000 } })
  gateway.input.write('x'.repeat(1_000))
  expect(await gateway.exit).toBe(0)
  expect(gateway.messages()[0]?.error?.message).toBe('The client sent a message of more than 1000 bytes; the connection ends.')
})

test('a message of the server over the bound ends the server and answers what waits', async () => {
  const gateway = startGateway([], { limits: { lineBytes: 5_000 } })
  gateway.call(1, 'big', '{"limit":6000}')
  await gateway.exit
  expect((await gateway.answer(1)).error?.message).toContain('since it wrote a message of more than 5000 bytes')
})

test('variables named CALLGATE_ do not reach the server', async () => {
  const code =
    'console.log(JSON.stringify({ jsonrpc: "2.0", method: "env", params: Object.keys(process.env) })); process.stdin.resume()'
  const gateway = startGateway([], {
    command: [process.execPath, '-e', code],
    env: { ...process.env, CALLGATE_STORE: 'x', Callgate_Token: 'y', KEPT: 'z' },
  })
  const { params } = await gateway.next(({ method }) => method === 'env')
  expect((params as readonly string[]).filter((name) => /callgate/i.test(name) || name === 'KEPT')).toEqual(['KEPT'])
})

test('a client that reads slowly slows the server down: nothing is kept without bound', async () => {
  const flood =
    'const line = JSON.stringify({ jsonrpc: "2.0", method: "n", params: "x".repeat(65000) }) + "\\n"; let n = 0; const go = () => { while (n < 2000) { n += 1; if (!process.stdout.write(line)) return process.stdout.once("drain", go) } }; go()'
  const output = new PassThrough()
  const gateway = startGateway([], { command: [process.execPath, '-e', flood], output })
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(output.readableLength + output.writableLength).toBeLessThan(1_000_000)
  let lines = 0
  output.on('data', (chunk: Buffer) => {
    for (const byte of chunk) if (byte === 10) lines += 1
  })
  expect(await gateway.exit).toBe(0)
  expect(lines).toBe(2_000)
})

test('a store that does not come back keeps no request from its answer', async () => {
  const { store } = local()
  const stuck = { ...store, record: { ...store.record, append: () => new Promise<void>(() => undefined) } }
  const gateway = startGateway([], { store: stuck, timings: { flushMs: 200, drainMs: 200, exitMs: 200 } })
  gateway.call(1, 'look')
  gateway.send('{"jsonrpc":"2.0","id":2,"method":"ping"}')
  await gateway.answer(2)
  gateway.input.end()
  await gateway.exit
  expect((await gateway.answer(1)).error?.message).toBe('The server has ended (exit code 0). Nothing was executed.')
  expect(gateway.messages()).toHaveLength(2)
})

test.each<readonly [string, Partial<StdioGatewayOptions>]>([
  ['typing in no known tier', { typing: { mode: 'loose' as 'strict' } }],
  ['rules that are none', { gates: { rules: [{ gate: '', tools: [], message: '' }] } }],
])('%s: the gateway rejects and its server is gone', async (_, options) => {
  const file = join(temporaryFolder(), 'pid')
  await expect(startGateway(['--child', file, '--stubborn'], options).exit).rejects.toMatchObject({ name: 'CallgateError' })
  if (existsSync(file)) await expect.poll(() => isAlive(Number(readFileSync(file, 'utf8')))).toBe(false)
})

test('a server that says something and ends at once is heard, with typing too, and its code is ours', async () => {
  const started = Date.now()
  const message = '{"jsonrpc":"2.0","method":"notifications/message","params":{}}'
  const gateway = startGateway([], {
    command: [process.execPath, '-e', `console.log(${JSON.stringify(message)}); process.exitCode = 3`],
    typing: { mode: 'strict' },
  })
  expect(await gateway.exit).toBe(3)
  expect(gateway.received()).toBe(`${message}\n`)
  expect(Date.now() - started).toBeLessThan(4_000)
})
