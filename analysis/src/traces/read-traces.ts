import { CallgateError } from '@callgate/core'
import { fileLines, MAX_LINE_BYTES } from './file-lines.ts'
import type { FileLine } from './file-lines.ts'
import { createLineReader } from './line-reader.ts'
import type { ReadLine } from './line-reader.ts'
import type { BrokenFile, TraceEvent, UnreadLine } from './trace.ts'
import { createTurnBuilder } from './turn-builder.ts'
import type { TurnBuilder } from './turn-builder.ts'

const MAX_OPEN = 10_000

/** Told while traces are read: of lines that cannot be read, of files that cannot be read on, and of bytes as they come from the disk. */
export type ReadEvents = { unread(line: UnreadLine): void; broken?(file: BrokenFile): void; bytes?(count: number): void }

/**
 * Reads recorded runs, plain or gzip, file after file, as events; whole traces one at a time, in constant memory. A line that
 * cannot be read is told, and the rest is still read; so is a file that cannot be read on. Where nobody is told of that
 * (`broken`), it rejects with `invalid_option`.
 */
export async function* readTraces(files: readonly string[], events: ReadEvents): AsyncGenerator<TraceEvent> {
  for (const file of files) yield* readFile(file, events)
}

async function* readFile(file: string, { unread, broken, bytes }: ReadEvents): AsyncGenerator<TraceEvent> {
  const open = new Map<string, TurnBuilder>()
  const reader = createLineReader(file)
  let isPartlyRead = false
  for await (const found of documents(fileLines(file, bytes))) {
    for (const read of tryRead(found)) {
      isPartlyRead = true
      yield* take(read, open)
    }
  }
  for (const builder of open.values()) yield* builder.end()

  function tryRead(found: FileLine): readonly ReadLine[] {
    const { line } = found
    if ('why' in found) return found.isLast === true ? tellBroken(line, found.why) : tell(found.why)
    if (found.text.trim() === '') return []
    try {
      return reader.read(found.text, `${file}:${line}`)
    } catch (error) {
      return tell(error instanceof Error ? error.message : String(error))
    }
    function tell(why: string): readonly ReadLine[] {
      unread({ file, line, why })
      return []
    }
  }
  function tellBroken(line: number, why: string): readonly ReadLine[] {
    if (broken === undefined) throw new CallgateError('invalid_option', `${file} cannot be read on from line ${line}: ${why}. Look at the file, or leave it out.`)
    broken({ file, line, why, isPartlyRead })
    return []
  }
}

/** A file whose first line only opens a bracket is one document over many lines, and is joined, up to the bound of a line. */
async function* documents(lines: AsyncIterable<FileLine>): AsyncGenerator<FileLine> {
  let texts: string[] | undefined
  let size = 0
  for await (const found of lines) {
    const isOpening = found.line === 1 && 'text' in found && /^\s*(?:\[|\{|\[\{)\s*$/.test(found.text)
    if (isOpening) texts = []
    if (texts === undefined) yield found
    else if ('why' in found) {
      yield found
      // Of a document that breaks off nothing can be read.
      if (found.isLast === true) return
    } else if ((size += found.text.length + 1) <= MAX_LINE_BYTES) texts.push(found.text)
  }
  if (texts === undefined) return
  if (size > MAX_LINE_BYTES) yield { line: 1, why: `the document over many lines is longer than ${MAX_LINE_BYTES} characters; write one trace a line` }
  else yield { line: 1, text: texts.join('\n') }
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
