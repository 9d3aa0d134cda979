import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DemoCall } from './decision-reader.ts'
import { FIRST_NOTES, SECOND_NOTES } from './demo-folder.ts'
import type { DemoResult } from './demo-client.ts'

/** One call of the demo, what the record must say of it, and what must be true in the world after it. */
export type DemoStep = {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  readonly expect: DemoCall['verdict']
  /** What happens between the calls, before this one. */
  readonly before?: 'approve' | 'put back'
  /** What differs from what was expected, if anything does. */
  check(files: string, result: DemoResult, call: DemoCall): string | undefined
}

const notes = (files: string): string => join(files, 'notes.txt')
const moved = (files: string): string => join(files, 'archive', 'notes.txt')
const MOVE = { tool: 'move_file', args: { source: 'notes.txt', destination: 'archive/notes.txt' } } as const
const READ = { tool: 'read_text_file', args: { path: 'notes.txt' } } as const
const WRITE = { tool: 'write_file', args: { path: 'notes.txt', content: SECOND_NOTES } } as const

/** The calls of the demo, in order. */
export const DEMO_STEPS: readonly DemoStep[] = [
  {
    ...WRITE,
    expect: 'refused',
    check: (files) => unless(readFileSync(notes(files), 'utf8') === FIRST_NOTES, 'the file was written all the same'),
  },
  {
    ...READ,
    expect: 'ran',
    check: (_files, { text }) => unless(text === FIRST_NOTES, `the read returned ${JSON.stringify(text)}`),
  },
  {
    ...READ,
    args: { path: 'notes.txt', tail: '3' },
    expect: 'repaired',
    check: (_files, { text, isError }) =>
      unless(!isError && text.trimEnd().split('\n').length <= 3, `the last lines came as ${JSON.stringify(text)}`),
  },
  {
    ...WRITE,
    expect: 'ran',
    check: (files) => unless(readFileSync(notes(files), 'utf8') === SECOND_NOTES, 'the file was not written'),
  },
  {
    ...MOVE,
    expect: 'held',
    check: (files) => unless(existsSync(notes(files)) && !existsSync(moved(files)), 'the file was moved without a yes'),
  },
  {
    ...MOVE,
    expect: 'ran',
    before: 'approve',
    check: (files) => unless(existsSync(moved(files)) && !existsSync(notes(files)), 'the file was not moved'),
  },
  {
    ...MOVE,
    expect: 'held',
    before: 'put back',
    check: (files) => unless(existsSync(notes(files)) && !existsSync(moved(files)), 'the one yes moved the file twice'),
  },
]

function unless(isAsExpected: boolean, difference: string): string | undefined {
  return isAsExpected ? undefined : difference
}
