import type { Problem, ProblemCode } from './problem.ts'

/** The most problems that one reading of a file lists. */
const MAX_PROBLEMS = 100

/** A hint, or the search for one: that is made for problems that are listed only. */
type Hint = string | (() => string)

/** Collects what is wrong with one text; places are offsets into it, in UTF-16 code units. */
export type ProblemList = {
  readonly hasErrors: boolean
  /** The line of an offset, 1-based. */
  lineOf(offset: number): number
  /** The line and column of an offset, 1-based. */
  placeOf(offset: number): { readonly line: number; readonly column: number }
  error(offset: number, code: ProblemCode, message: string, hint?: Hint): void
  warn(offset: number, code: ProblemCode, message: string, hint?: Hint): void
  /** All that was found, in the order of the text, frozen; of more than `MAX_PROBLEMS` the last says how many there are. */
  sorted(): readonly Problem[]
}

/** Makes an empty list for `text`, which the problems name `file`. */
export function createProblemList(file: string, text: string): ProblemList {
  const starts = lineStarts(text)
  const found: Problem[] = []
  let total = 0
  let errors = 0

  function add(severity: Problem['severity'], offset: number, code: ProblemCode, message: string, hint?: Hint): void {
    total += 1
    if (severity === 'error') errors += 1
    if (found.length === MAX_PROBLEMS) return
    const place = placeOf(starts, Math.min(Math.max(offset, 0), text.length))
    found.push(Object.freeze({ file, ...place, code, severity, message, ...(hint !== undefined && { hint: typeof hint === 'string' ? hint : hint() }) }))
  }

  return {
    get hasErrors() {
      return errors > 0
    },
    lineOf: (offset) => placeOf(starts, offset).line,
    placeOf: (offset) => placeOf(starts, Math.min(Math.max(offset, 0), text.length)),
    error: (offset, code, message, hint) => add('error', offset, code, message, hint),
    warn: (offset, code, message, hint) => add('warning', offset, code, message, hint),
    sorted() {
      const sorted = found.toSorted((a, b) => a.line - b.line || a.column - b.column)
      if (total <= MAX_PROBLEMS) return Object.freeze(sorted)
      const last = sorted[MAX_PROBLEMS - 1] as Problem
      const more: Problem = Object.freeze({
        file, line: last.line, column: last.column, code: 'too_many_problems', severity: 'error',
        message: `${total - MAX_PROBLEMS + 1} more problems are not listed`, hint: 'repair the ones above first',
      })
      return Object.freeze([...sorted.slice(0, -1), more])
    },
  }
}

function lineStarts(text: string): readonly number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

function placeOf(starts: readonly number[], offset: number): { readonly line: number; readonly column: number } {
  let low = 0
  let high = starts.length
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((starts[middle] as number) <= offset) low = middle
    else high = middle
  }
  return { line: low + 1, column: offset - (starts[low] as number) + 1 }
}
