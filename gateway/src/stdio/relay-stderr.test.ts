import { PassThrough, Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { relayStderr } from './relay-stderr.ts'

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10))

test('bytes pass as they came, cut characters too', async () => {
  const [from, to] = [new PassThrough(), new PassThrough()]
  const { ended } = relayStderr(from, to)
  from.write(Buffer.from([0xc3]))
  from.end(Buffer.from([0xa9, 0xff, 0x0a]))
  await ended
  expect([...(to.read() as Buffer)]).toEqual([0xc3, 0xa9, 0xff, 0x0a])
  expect(to.writableEnded).toBe(false)
})

test('who does not read slows the server down, and gets everything in the end', async () => {
  const [from, to] = [new PassThrough(), new PassThrough()]
  const { ended } = relayStderr(from, to)
  for (let chunk = 0; chunk < 100; chunk += 1) from.write(Buffer.alloc(10_000))
  from.end()
  await settle()
  expect(to.readableLength + to.writableLength).toBeLessThan(100_000)
  let size = 0
  to.on('data', (chunk: Buffer) => void (size += chunk.length))
  await ended
  await settle()
  expect(size).toBe(1_000_000)
})

test.each([
  ['that fails', new Writable({ write: (_chunk, _encoding, done) => done(new Error('ENOSPC')) })],
  ['that fails and goes on', new Writable({ autoDestroy: false, write: (_chunk, _encoding, done) => done(new Error('ENOSPC')) })],
  ['that has gone', new PassThrough().destroy()],
])('a stderr %s ends nothing: what the server writes is read and dropped', async (_, to) => {
  const from = new PassThrough()
  const { ended } = relayStderr(from, to)
  for (let chunk = 0; chunk < 100; chunk += 1) from.write(Buffer.alloc(10_000))
  from.end()
  await ended
  expect(from.readableLength).toBe(0)
})

test('stopped, it lets go of both ends', () => {
  const [from, to] = [new PassThrough(), new PassThrough()]
  const before = to.listenerCount('drain') + to.listenerCount('error') + to.listenerCount('close')
  relayStderr(from, to).stop()
  expect(from.destroyed).toBe(true)
  expect(to.listenerCount('drain') + to.listenerCount('error') + to.listenerCount('close')).toBe(before)
})
