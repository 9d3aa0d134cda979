import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { createLineLog } from './line-log.ts'
import type { LineLog } from './line-log.ts'

type Logged = { readonly stream: PassThrough; readonly log: LineLog; readonly clock: { at: number }; read(): readonly string[] }

function logged(): Logged {
  const stream = new PassThrough()
  const clock = { at: 5_000 }
  const log = createLineLog(stream, (message) => `${message}\n`, { now: () => clock.at })
  const read = (): readonly string[] => String(stream.read() ?? '').split('\n').slice(0, -1)
  return { stream, log, clock, read }
}

test('lines go out as they come', () => {
  const { log, read } = logged()
  log.line('a')
  log.line('b')
  log.close()
  expect(read()).toEqual(['a', 'b'])
})

test('while nobody reads lines are dropped, and counted as soon as somebody does', async () => {
  const { stream, log } = logged()
  for (let line = 0; line < 500; line += 1) log.line('x'.repeat(999))
  expect(stream.readableLength + stream.writableLength).toBeLessThan(100_000)
  let text = ''
  stream.setEncoding('utf8').on('data', (chunk: string) => void (text += chunk))
  await expect.poll(() => text).toMatch(/… \d+ lines were dropped\n$/)
  const shown = text.split('\n').filter((line) => line.startsWith('x')).length
  expect(text).toContain(`… ${500 - shown} lines were dropped\n`)
})

test('a flood is cut after 1,000 lines, then ten a second come through, the dropped ones counted', () => {
  const { stream, log, clock, read } = logged()
  for (let line = 0; line < 1_003; line += 1) log.line(String(line))
  expect(read()).toHaveLength(1_000)
  clock.at += 100
  log.line('later')
  log.line('too soon')
  expect(read()).toEqual(['… 3 lines were dropped', 'later'])
  log.close()
  expect(read()).toEqual(['… 1 line was dropped'])
  expect(stream.listenerCount('drain')).toBe(0)
})

test('a clock that goes back takes no room away', () => {
  const { log, clock, read } = logged()
  for (let line = 0; line < 990; line += 1) log.line('x')
  clock.at = 0
  for (let line = 0; line < 10; line += 1) log.line('x')
  expect(read()).toHaveLength(1_000)
})

test('a stream that is gone takes nothing and ends nothing', () => {
  const { stream, log } = logged()
  stream.destroy()
  log.line('a')
  log.close()
  expect(stream.destroyed).toBe(true)
})
