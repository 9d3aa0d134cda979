import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLineSplitter } from './line-splitter.ts'

type Read = { readonly lines: readonly string[]; readonly tooLong: number; readonly rest: string; readonly restBytes: number }

function split(chunks: readonly Buffer[], maxBytes = 1_000): Read {
  const lines: string[] = []
  let tooLong = 0
  const splitter = createLineSplitter(maxBytes, {
    line: (bytes) => void lines.push(bytes.toString('latin1')),
    tooLong: () => void (tooLong += 1),
  })
  for (const chunk of chunks) splitter.push(chunk)
  return { lines, tooLong, rest: splitter.rest(100).toString('latin1'), restBytes: splitter.restBytes }
}

const cut = (bytes: Buffer, at: readonly number[]): Buffer[] => {
  const edges = [0, ...at.map((one) => one % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
  return edges.slice(1).map((end, index) => bytes.subarray(edges[index], end))
}

test('however the bytes are cut, the lines are the same and no byte is lost', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(0x0a, 0x0d, 0x7b, 0xc3, 0xa9, 0x00), { maxLength: 60 }),
      fc.array(fc.nat(), { maxLength: 12 }),
      (list, at) => {
        const bytes = Buffer.from(list)
        const { lines, rest, tooLong } = split(cut(bytes, at))
        expect(lines.join('') + rest).toBe(bytes.toString('latin1'))
        expect(lines.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true)
        expect([rest.includes('\n'), tooLong]).toEqual([false, 0])
      },
    ),
  )
})

test('a line within one chunk is a view of it', () => {
  const chunk = Buffer.from('ab\ncd\n')
  const seen: Buffer[] = []
  createLineSplitter(10, { line: (bytes) => void seen.push(bytes), tooLong: () => undefined }).push(chunk)
  expect(seen.map((line) => [line.buffer === chunk.buffer, line.toString()])).toEqual([
    [true, 'ab\n'],
    [true, 'cd\n'],
  ])
})

test.each([
  ['exactly the bound, its LF included', ['123456789\n'], ['123456789\n'], 0],
  ['one byte more', ['1234567890\n'], [], 1],
  ['as much without an LF yet', ['1234567890'], [], 1],
  ['one byte less without an LF yet', ['123456789'], [], 0],
  ['over it in pieces', ['12345', '67890', '\n'], [], 1],
  ['a short line before, none after', ['1\n12345678901\n2\n', '3\n'], ['1\n'], 1],
])('the bound: %s', (_, chunks, lines, tooLong) => {
  const read = split(
    chunks.map((chunk) => Buffer.from(chunk)),
    10,
  )
  expect([read.lines, read.tooLong]).toEqual([lines, tooLong])
})

test('a line that comes a byte at a time is put together', () => {
  const bytes = Buffer.from(`${'x'.repeat(900)}\n`)
  expect(split([...bytes].map((byte) => Buffer.from([byte]))).lines).toEqual([bytes.toString()])
})

test('what stands after the last line is kept, and can be shown in part', () => {
  expect(split([Buffer.from('a\nbc'), Buffer.from('d')])).toMatchObject({ rest: 'bcd', restBytes: 3 })
})
