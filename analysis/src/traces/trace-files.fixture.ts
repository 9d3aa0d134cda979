import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { readTraces } from './read-traces.ts'
import type { TraceEvent, UnreadLine } from './trace.ts'

/** A file with that content, gone when the test has ended. */
export function traceFile(content: string | Uint8Array, name = 'runs.jsonl'): string {
  const folder = mkdtempSync(join(tmpdir(), 'callgate-traces-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, name)
  writeFileSync(file, content)
  return file
}

/** Values as JSON lines. */
export function jsonLines(...values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('')
}

/** All that is read of files with these contents. */
export async function readAll(...contents: readonly (string | Uint8Array)[]): Promise<{ events: readonly TraceEvent[]; unread: readonly UnreadLine[]; bytes: number }> {
  const unread: UnreadLine[] = []
  const events: TraceEvent[] = []
  let bytes = 0
  const files = contents.map((content) => traceFile(content))
  for await (const event of readTraces(files, { unread: (line) => unread.push(line), bytes: (count) => (bytes += count) })) events.push(event)
  return { events, unread, bytes }
}
