import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { readTraceLine } from './read-line.ts'
import type { ReadLine } from './read-line.ts'
import type { TraceEvent, UnreadLine } from './trace.ts'
import { createTurnBuilder } from './turn-builder.ts'
import type { TurnBuilder } from './turn-builder.ts'

const LF = 0x0a
const MAX_LINE_BYTES = 64 * 2 ** 20
const MAX_OPEN = 10_000

/** Told while traces are read: of lines that cannot be read, and of bytes as they come from the disk. */
export type ReadEvents = { unread(line: UnreadLine): void; bytes?(count: number): void }

/**
 * Reads recorded runs, plain or gzip, file after file, as events; whole traces one at a time, in constant memory. A line that
 * cannot be read is told, and the rest is still read. Rejects where a file cannot be read at all.
 */
export async function* readTraces(files: readonly string[], events: ReadEvents): AsyncGenerator<TraceEvent> {
  for (const file of files) yield* readFile(file, events)
}

async function* readFile(file: string, events: ReadEvents): AsyncGenerator<TraceEvent> {
  const open = new Map<string, TurnBuilder>()
  let line = 0
  for await (const text of linesOf(file, events, () => line + 1)) {
    line += 1
    if (text === undefined || text.trim() === '') continue
    for (const read of tryRead(text, file, line, events)) yield* take(read, open)
  }
  for (const builder of open.values()) yield* builder.end()
}

function tryRead(text: string, file: string, line: number, { unread }: ReadEvents): readonly ReadLine[] {
  try {
    return readTraceLine(text, `${file}:${line}`)
  } catch (error) {
    unread({ file, line, why: error instanceof Error ? error.message : String(error) })
    return []
  }
}

/** Traces that go on over lines stay open to the end of the file, at most 10,000 of them, the oldest ended first. */
function* take({ trace, isWhole, items }: ReadLine, open: Map<string, TurnBuilder>): Generator<TraceEvent> {
  const builder = (isWhole ? undefined : open.get(trace)) ?? createTurnBuilder(trace)
  for (const item of items) yield* builder.push(item)
  if (isWhole) return yield* builder.end()
  open.set(trace, builder)
  const [oldest] = open
  if (open.size <= MAX_OPEN || oldest === undefined) return
  open.delete(oldest[0])
  yield* oldest[1].end()
}

/** The lines of a file; undefined for one that is too long, which is told. */
async function* linesOf(file: string, { unread, bytes }: ReadEvents, lineNumber: () => number): AsyncGenerator<string | undefined> {
  const source = createReadStream(file, { highWaterMark: 2 ** 18 })
  const stream = file.endsWith('.gz') ? source.pipe(createGunzip()) : source
  source.on('error', (error) => stream.destroy(error))
  let parts: Buffer[] = []
  let size = 0
  let told = 0
  const finish = (tail: Buffer): string | undefined => {
    const isTooLong = size + tail.length > MAX_LINE_BYTES
    if (isTooLong) unread({ file, line: lineNumber(), why: `the line is longer than ${MAX_LINE_BYTES} bytes` })
    const text = isTooLong ? undefined : Buffer.concat([...parts, tail]).toString('utf8')
    parts = []
    size = 0
    return text
  }
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes?.(source.bytesRead - told)
    told = source.bytesRead
    let from = 0
    for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, from)) {
      yield finish(chunk.subarray(from, at))
      from = at + 1
    }
    size += chunk.length - from
    // What is over the bound is counted and let go of.
    if (size <= MAX_LINE_BYTES) parts.push(chunk.subarray(from))
    else parts = []
  }
  if (size > 0) yield finish(Buffer.alloc(0))
}
