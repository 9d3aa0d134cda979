import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { startServer } from './child-server.ts'
import type { ChildServer } from './child-server.ts'
import { startGateway } from './gateway.fixture.ts'
import { holdStream } from './hold-stream.ts'
import { createLineWriter } from './line-writer.ts'
import { readLines } from './read-lines.ts'

/** A server that is a script, and has ended. */
async function ended(script: string): Promise<{ readonly server: ChildServer; release(): void }> {
  const server = startServer({ command: [process.execPath, '-e', script], env: process.env })
  const release = holdStream(server.stdout)
  server.stderr.resume()
  await server.ended
  // Node reads on for a child that has ended in the next turns.
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  return { server, release }
}

type Heard = { readonly lines: readonly string[]; readonly rest: string | undefined }

function hear(server: ChildServer, release: () => void): Promise<Heard> {
  const lines: string[] = []
  return new Promise((resolve, reject) => {
    readLines(server.stdout, 1_000_000, {
      line: (bytes) => void lines.push(bytes.toString()),
      tooLong: () => reject(new Error('too long')),
      chunkRead: () => undefined,
      ended: (rest) => resolve({ lines, rest }),
    })
    release()
  })
}

test.each([
  ['nothing', '', { lines: [], rest: undefined }],
  ['a line', 'console.log("one")', { lines: ['one\n'], rest: undefined }],
  ['a line and a half', 'process.stdout.write("one\\ntwo")', { lines: ['one\n'], rest: 'two' }],
])('what a server wrote is all heard after its end, once: %s', async (_, script, heard) => {
  const { server, release } = await ended(script)
  expect(await hear(server, release)).toEqual(heard)
})

test('a server that writes much before anybody listens waits, and not a byte is lost', async () => {
  const script = 'for (let i = 0; i < 200000; i += 1) console.log(i)'
  const server = startServer({ command: [process.execPath, '-e', script], env: process.env })
  const release = holdStream(server.stdout)
  server.stderr.resume()
  await once(server.stdout, 'readable')
  await new Promise((resolve) => setTimeout(resolve, 300))
  // What Node reads at once, beyond what it wants to hold; the script writes ten times as much.
  expect(server.stdout.readableLength).toBeLessThanOrEqual(65_536 + server.stdout.readableHighWaterMark)
  expect(server.isAlive()).toBe(true)
  const { lines } = await hear(server, release)
  expect([lines.length, lines.at(-1)]).toEqual([200_000, '199999\n'])
})

test('a writer over a stream that was closed before says that it is gone', async () => {
  const stream = new PassThrough()
  stream.destroy()
  await once(stream, 'close')
  let gone = 0
  const writer = createLineWriter(stream, { onDrain: () => undefined, onGone: () => void (gone += 1) })
  await writer.flushed()
  await new Promise((resolve) => setImmediate(resolve))
  expect([gone, writer.isGone]).toEqual([1, true])
})

test('what a client said before its server ended unheard is answered, with why', async () => {
  const gateway = startGateway([], { command: [''] })
  gateway.send('{"jsonrpc":"2.0","id":1,"method":"ping"}')
  expect(await gateway.exit).toBe(2)
  expect(gateway.messages().map(({ id, error }) => [id, error?.message])).toEqual([[1, expect.stringContaining('no program was named')]])
})

test('a gateway that is told to end while its server starts ends both', async () => {
  const gateway = startGateway()
  gateway.stop()
  await gateway.exit
  expect(gateway.received()).toBe('')
})

test('a client that has closed before the server was up gets its answers, and the gateway ends in order', async () => {
  const gateway = startGateway()
  gateway.call(1, 'look')
  gateway.input.end()
  expect(await gateway.exit).toBe(0)
  expect(gateway.messages().map(({ id }) => id)).toEqual([1])
})
