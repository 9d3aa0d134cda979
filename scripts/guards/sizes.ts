import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Finding } from '../finding.ts'
import { readSources, readWorkspaces, walk } from '../workspace.ts'

const MEDIAN_LINES = 80
const MOST_LINES = 200
const ALL_LINES = 300

/** Files stay small: the median of the sources at most 80 lines, 95 % at most 200, and none over 300, tests included. */
export async function checkSizes(root: string): Promise<readonly Finding[]> {
  const sources = readSources(root).map((file) => measure(root, file)).toSorted((a, b) => a.lines - b.lines)
  const everything = [...readWorkspaces(root).map(({ folder }) => folder), 'scripts', 'test']
    .flatMap((folder) => walk(root, folder))
    .filter((file) => /\.(ts|mjs|js)$/.test(file))
  return [
    ...tooLong(sources, 0.5, MEDIAN_LINES),
    ...tooLong(sources, 0.95, MOST_LINES),
    ...everything.map((file) => measure(root, file)).filter(({ lines }) => lines > ALL_LINES).map(({ file, lines }) => ({
      rule: 'file-lines', file, message: `has ${lines} lines, over ${ALL_LINES}: divide it`,
    })),
  ]
}

type Measure = { readonly file: string; readonly lines: number }

function measure(root: string, file: string): Measure {
  return { file, lines: readFileSync(join(root, file), 'utf8').split('\n').length - 1 }
}

function tooLong(sorted: readonly Measure[], share: number, bound: number): readonly Finding[] {
  const at = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]
  if (at === undefined || at.lines <= bound) return []
  const message = `is number ${Math.ceil(sorted.length * share)} of ${sorted.length} by size and has ${at.lines} lines, over ${bound}: divide the longest`
  return [{ rule: `file-lines-${share * 100}`, file: at.file, message }]
}
