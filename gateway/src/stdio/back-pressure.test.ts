import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { startGateway } from './gateway.fixture.ts'
import type { RunningGateway } from './gateway.fixture.ts'

const node = (code: string): readonly string[] => [process.execPath, '-e', code]
const DEAF = node('setInterval(() => {}, 1000)')
const ANSWER = 'console.log(JSON.stringify({ jsonrpc: "2.0", method: "ready" }))'
const CLOSE = 'require("fs").closeSync(1)'

function ping(gateway: RunningGateway, id: number, size: number): void {
  gateway.send(`{"jsonrpc":"2.0","id":${id},"method":"ping","params":{"text":"${'x'.repeat(size)}"}}`)
}

test('a client that ends before a server that does not read is seen to end: every request is answered, in order', async () => {
  const gateway = startGateway([], { command: DEAF, timings: { drainMs: 200, exitMs: 200 } })
  for (let id = 1; id <= 6; id += 1) ping(gateway, id, 100_000)
  gateway.input.end()
  expect(await gateway.exit).toBe(128 + 15)
  expect(gateway.messages().map(({ id, error }) => [id, error?.message])).toEqual(
    [1, 2, 3, 4, 5, 6].map((id) => [id, 'The server has ended (signal SIGTERM). Whether the request was carried out is unknown.']),
  )
})

test('a server with far too much to read that takes none of it is ended, and what came after is answered too', async () => {
  const gateway = startGateway([], { command: DEAF, timings: { stuckMs: 300 }, limits: { backlogBytes: 200_000 } })
  for (let id = 1; id <= 20; id += 1) ping(gateway, id, 100_000)
  gateway.input.end()
  expect(await gateway.exit).toBe(128 + 15)
  expect(gateway.messages().map(({ id }) => id)).toHaveLength(20)
  expect(new Set(gateway.messages().map(({ id }) => id)).size).toBe(20)
  expect((await gateway.answer(1)).error?.message).toContain('since it had not read its input for 0.3 s')
  expect((await gateway.answer(20)).error?.message).toContain('Nothing was executed.')
})

test('a server that reads slowly is not taken for one that does not', async () => {
  const slow = `${ANSWER}
    const fs = require('fs'), buffer = Buffer.alloc(20000)
    const go = () => { if (fs.readSync(0, buffer) === 0) process.exit(0); setTimeout(go, 20) }
    setTimeout(go, 0)`
  const gateway = startGateway([], {
    command: node(slow),
    timings: { stuckMs: 250, drainMs: 200 },
    limits: { backlogBytes: 50_000 },
  })
  for (let line = 0; line < 6; line += 1) gateway.send(`{"jsonrpc":"2.0","method":"n","params":"${'x'.repeat(300_000)}"}`)
  gateway.input.end()
  expect(await gateway.exit).toBe(0)
})

test('a client that ends without reading its answers is seen to end', async () => {
  const output = new PassThrough()
  const gateway = startGateway([], {
    output,
    timings: { drainMs: 200, exitMs: 200, flushMs: 200 },
    limits: { backlogBytes: 50_000 },
  })
  output.pause()
  for (let id = 1; id <= 4; id += 1) gateway.call(id, 'big', '{"limit":200000}')
  await expect.poll(() => output.writableLength).toBeGreaterThan(50_000)
  gateway.input.end()
  expect(await gateway.exit).toBe(128 + 15)
  expect(output.destroyed).toBe(true)
})

test('a server that closes its output and lives on is ended, and its calls are answered', async () => {
  const gateway = startGateway([], { command: node(`${ANSWER}; setTimeout(() => ${CLOSE}, 50); setInterval(() => {}, 1000)`) })
  gateway.send('{"jsonrpc":"2.0","id":1,"method":"ping"}')
  expect(await gateway.exit).toBe(128 + 15)
  expect((await gateway.answer(1)).error?.message).toBe(
    'The server was ended (signal SIGTERM), since it had closed its output. Whether the request was carried out is unknown.',
  )
})

test('a server that closes its output on its way out has its time to end', async () => {
  const code = `${ANSWER}; process.stdin.resume().on('end', () => { ${CLOSE}; setTimeout(() => process.exit(7), 1300) })`
  const gateway = startGateway([], { command: node(code), timings: { exitMs: 6_000 } })
  await gateway.next(({ method }) => method === 'ready')
  gateway.input.end()
  expect(await gateway.exit).toBe(7)
})
