import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Output } from '../surroundings.ts'
import { createProgress } from './progress.ts'

function terminal(isTTY: boolean): { readonly stream: Output; text(): string } {
  const stream = Object.assign(new PassThrough(), { isTTY })
  stream.setEncoding('utf8')
  return { stream, text: () => String(stream.read() ?? '') }
}

test('on a terminal one line is drawn anew, is out of the way of what is said, and is gone at the end', async () => {
  const { stream, text } = terminal(true)
  const progress = createProgress(stream, 200)
  await sleep(210)
  progress.read(50)
  expect(text()).toBe('\r\u001b[K25%  0 calls, 0 a second')
  progress.called()
  expect(text()).toBe('')
  progress.say('a line\n')
  expect(text()).toBe('\r\u001b[Ka line\n')
  await sleep(210)
  progress.called()
  expect(text().replace(/\d+ a second/, 'N a second')).toBe('\r\u001b[K25%  2 calls, N a second')
  progress.end()
  expect(text()).toBe('\r\u001b[K')
})

test('where nobody looks nothing is drawn, and what is said is said', async () => {
  const { stream, text } = terminal(false)
  const progress = createProgress(stream, 200)
  await sleep(210)
  progress.read(50)
  progress.called()
  progress.say('a line\n')
  progress.end()
  expect(text()).toBe('a line\n')
})

test('of a size that is not known no share is drawn', async () => {
  const { stream, text } = terminal(true)
  const progress = createProgress(stream, 0)
  await sleep(210)
  progress.read(50)
  expect(text()).toBe('\r\u001b[K0 calls, 0 a second')
})
