import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'

/** The longest line that is read, in bytes. */
export const MAX_LINE_BYTES: number = 64 * 2 ** 20

const LF = 0x0a
const BOM = '\ufeff'

/** A line of a file, counted from 1: its text, or why it cannot be read. `isLast` says that the file cannot be read on from there. */
export type FileLine = { readonly line: number; readonly text: string } | { readonly line: number; readonly why: string; readonly isLast?: boolean }

/** Reads the lines of a file, plain or gzip, told apart by its first bytes. Where it cannot be read on, the last line says so. */
export async function* fileLines(file: string, bytes: (count: number) => void = () => undefined): AsyncGenerator<FileLine> {
  const source = createReadStream(file, { highWaterMark: 2 ** 18 })
  let line = 0
  try {
    let parts: Buffer[] = []
    let size = 0
    const finish = (tail: Buffer): FileLine => {
      const whole = size + tail.length > MAX_LINE_BYTES ? undefined : parts.length === 0 ? tail : Buffer.concat([...parts, tail])
      parts = []
      size = 0
      return lineOf(line += 1, whole)
    }
    for await (const chunk of await contentOf(source, bytes)) {
      let from = 0
      for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, from)) {
        yield finish(chunk.subarray(from, at))
        from = at + 1
      }
      size += chunk.length - from
      // What is over the bound is counted and let go of.
      if (size > MAX_LINE_BYTES) parts = []
      else if (from < chunk.length) parts.push(chunk.subarray(from))
    }
    if (size > 0) yield finish(Buffer.alloc(0))
  } catch (cause) {
    yield { line: line + 1, why: reasonOf(cause), isLast: true }
  } finally {
    source.destroy()
  }
}

const REASONS: ReadonlyMap<string | undefined, string> = new Map([
  ['ENOENT', 'there is no such file'],
  ['EISDIR', 'it is a folder; name the files in it'],
  ['Z_BUF_ERROR', 'it is gzip that ends too early'],
  ['Z_DATA_ERROR', 'it is gzip that was damaged'],
])

function reasonOf(cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException
  return REASONS.get(code) ?? code ?? message
}

function lineOf(line: number, bytes: Buffer | undefined): FileLine {
  if (bytes === undefined) return { line, why: `it is longer than ${MAX_LINE_BYTES} bytes` }
  if (!isUtf8(bytes)) return { line, why: 'it is no UTF-8' }
  const text = bytes.toString('utf8')
  return { line, text: line === 1 && text.startsWith(BOM) ? text.slice(1) : text }
}

/** The content as it is read from the disk, or unpacked where it begins as gzip does. */
async function contentOf(source: Readable, bytes: (count: number) => void): Promise<AsyncIterable<Buffer>> {
  const chunks = counted(source, bytes)
  const first = await chunks.next()
  if (first.done === true) return chunks
  const plain = joined(first.value, chunks)
  const [one, two] = first.value
  return one === 0x1f && two === 0x8b ? unpacked(plain) : plain
}

async function* counted(source: Readable, bytes: (count: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of source as AsyncIterable<Buffer>) {
    bytes(chunk.length)
    yield chunk
  }
}

async function* joined(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first
  yield* rest
}

const ONE_AT_A_TIME: object = { readableHighWaterMark: 1, writableHighWaterMark: 1 }

async function* unpacked(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  // One piece at a time, and the end apart from the last: an error takes with it what was unpacked and not yet read.
  const gunzip = createGunzip({ chunkSize: 2 ** 18, ...ONE_AT_A_TIME })
  const feed = pipeline(content, gunzip)
  // What goes wrong is thrown by what is read here.
  feed.catch(() => undefined)
  yield* gunzip as AsyncIterable<Buffer>
}
