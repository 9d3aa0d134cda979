import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readTraces } from './read-traces.ts'
import type { BrokenFile, TraceEvent } from './trace.ts'
import { jsonLines, readAll, traceFile } from './trace-files.fixture.ts'

const trace = (id: string): object => ({ id, messages: [{ role: 'user', content: 'é' }] })
const ends = (events: readonly { readonly kind: string; readonly trace: string }[]): readonly string[] => events.filter(({ kind }) => kind === 'end').map(({ trace: id }) => id)

test('gzip is told by its first bytes, whatever the file is called', async () => {
  const { events, bytes } = await readAll(gzipSync(jsonLines(trace('a'), trace('b'))), jsonLines(trace('c')))
  expect(ends(events)).toEqual(['a', 'b', 'c'])
  expect(bytes).toBe(gzipSync(jsonLines(trace('a'), trace('b'))).length + Buffer.byteLength(jsonLines(trace('c'))))
})

test('line ends, empty lines, a byte order mark and a missing last line end do not matter', async () => {
  const [a, b] = [JSON.stringify(trace('a')), JSON.stringify(trace('b'))]
  const { events, unread } = await readAll(`\ufeff${a}\r\n\r\n   \n${b}`)
  expect([ends(events), unread]).toEqual([['a', 'b'], []])
})

test.each<[string, string | Uint8Array, string]>([
  ['is no JSON', '{"messages": [', 'it is no JSON'],
  ['is a number', '7', 'it is no JSON object'],
  ['is an object of something else', '{"name":"x"}', 'neither messages, nor a message'],
  ['is no UTF-8', Uint8Array.from([0x22, 0xff, 0x22]), 'it is no UTF-8'],
])('a line that %s is told by its number, and the rest is read', async (_what, bad, why) => {
  const content = Buffer.concat([Buffer.from(jsonLines(trace('a'))), Buffer.from(bad), Buffer.from(`\n${jsonLines(trace('b'))}`)])
  const { events, unread } = await readAll(content)
  expect(ends(events)).toEqual(['a', 'b'])
  expect(unread).toMatchObject([{ line: 2, why: expect.stringContaining(why) }])
})

test('a line over 64 MiB is told, and the rest is read', async () => {
  const long = Buffer.alloc(64 * 2 ** 20 + 1, 0x20)
  const { events, unread } = await readAll(Buffer.concat([Buffer.from(jsonLines(trace('a'))), long, Buffer.from(`\n${jsonLines(trace('b'))}`)]))
  expect(ends(events)).toEqual(['a', 'b'])
  expect(unread).toMatchObject([{ line: 2, why: 'it is longer than 67108864 bytes' }])
})

test('a document over many lines that is no JSON, or too long, is told once', async () => {
  for (const [content, why] of [['{\n"messages": [\n', 'no JSON'], [`[\n${`${' '.repeat(2 ** 20)}\n`.repeat(65)}]`, 'longer than']] as const) {
    expect(await readAll(content)).toMatchObject({ events: [], unread: [{ line: 1, why: expect.stringContaining(why) }] })
  }
})

test.each<[string, () => string]>([
  ['is not there', () => 'no-such-file.jsonl'],
  ['is a folder', () => '.'],
  ['is gzip that ends too early', () => traceFile(gzipSync(jsonLines(trace('a'))).subarray(0, 40))],
  ['is gzip that was damaged', () => traceFile(Uint8Array.from([0x1f, 0x8b, 9, 9, 9, 9]))],
])('a file that %s is told by its name, or rejects where nobody listens', async (_what, file) => {
  const path = file()
  const read = async (): Promise<void> => {
    for await (const _ of readTraces([path], { unread: () => undefined })) continue
  }
  await expect(read()).rejects.toMatchObject({ code: 'invalid_option', message: expect.stringContaining(path) })
  const broken: BrokenFile[] = []
  const events: TraceEvent[] = []
  const good = traceFile(jsonLines(trace('b')))
  for await (const event of readTraces([path, good], { unread: () => undefined, broken: (fault) => broken.push(fault) })) events.push(event)
  expect([broken, ends(events)]).toEqual([[{ file: path, line: 1, why: expect.any(String), isPartlyRead: false }], ['b']])
})

test('a document over many lines that breaks off is told once, and nothing of it is read', async () => {
  const path = traceFile(gzipSync(JSON.stringify([trace('a'), trace('b')], null, 2)).subarray(0, -8))
  const told: unknown[] = []
  for await (const event of readTraces([path], { unread: (line) => told.push(line), broken: ({ isPartlyRead }) => told.push(isPartlyRead) })) told.push(event)
  expect(told).toEqual([false])
})

test('who stops reading early leaves nothing behind', async () => {
  const file = traceFile(gzipSync(jsonLines(...Array.from({ length: 5_000 }, (_, at) => trace(String(at))))))
  let seen = 0
  for await (const _ of readTraces([file], { unread: () => undefined })) if ((seen += 1) === 3) break
  expect(seen).toBe(3)
})

test('of traces that go on over lines at most 10,000 are open, the oldest ended first', async () => {
  const call = (at: number): object => ({ traceId: `t${at}`, attributes: { 'gen_ai.tool.name': 'x' } })
  const { events } = await readAll(jsonLines(...Array.from({ length: 10_002 }, (_, at) => call(at))))
  expect(ends(events).length).toBe(10_002)
  expect(events.slice(0, 4)).toMatchObject([{ kind: 'calls', trace: 't0' }, { kind: 'end', trace: 't0' }, { kind: 'calls', trace: 't1' }, { kind: 'end', trace: 't1' }])
})
