import type { Readable } from 'node:stream'
import { reveal } from '@callgate/core'
import { createLineSplitter } from '../wire/line-splitter.ts'

/**
 * Who reads a stream's lines. `chunkRead` follows each chunk, with its size in bytes; `ended` the stream's end, with what
 * stood after the last line.
 */
export type StreamReader = {
  line(bytes: Buffer): void
  tooLong(): void
  chunkRead(size: number): void
  ended(rest: string | undefined): void
}

const SHOWN_BYTES = 200

/** Reads a stream's lines of at most `maxBytes` until it ends or the returned function is called; that pauses it. */
export function readLines(stream: Readable, maxBytes: number, reader: StreamReader): () => void {
  const splitter = createLineSplitter(maxBytes, reader)
  let hasEnded = false
  const take = (chunk: Buffer | string): void => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    splitter.push(bytes)
    reader.chunkRead(bytes.length)
  }
  const end = (): void => {
    if (hasEnded) return
    hasEnded = true
    reader.ended(splitter.restBytes === 0 ? undefined : reveal(splitter.rest(SHOWN_BYTES).toString('utf8')))
  }
  stream.on('data', take)
  for (const event of ['end', 'close', 'error']) stream.on(event, end)
  // It may have ended before anybody listened, and does not say so twice.
  if (stream.readableEnded || stream.destroyed) process.nextTick(end)
  return () => {
    hasEnded = true
    stream.off('data', take)
    stream.pause()
  }
}
