import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { CallgateError } from '@callgate/core'
import type { GatesFile } from './gates-file.ts'
import type { ExpressionCompiler } from './cel/expression-compiler.ts'
import { parseWith } from './parse-with.ts'
import type { ParsedGatesFile } from './parse-with.ts'
import type { Place } from './places.ts'
import { MAX_FILE_SIZE } from './parse-yaml.ts'
import { formatProblem } from './problem.ts'
import type { Problem } from './problem.ts'

/** A valid gates file from disk, and what is doubtful in it. */
export type LoadedGatesFile = { readonly gates: GatesFile; readonly warnings: readonly Problem[]; placeOf(pointer: string): Place }

/**
 * Reads a gates file of at most 4 MiB of UTF-8. Throws `gates_file_missing` where there is none, and `gates_file_invalid`
 * where it cannot be read or is not valid; the message then has one `file:line:column` line a problem.
 */
export async function loadGates(path: string): Promise<LoadedGatesFile> {
  const parsed = await parse(await readGatesText(path), path)
  if (parsed.ok) return { gates: parsed.gates, warnings: parsed.warnings, placeOf: parsed.placeOf }
  const lines = parsed.problems.map((problem) => `\n  ${formatProblem(problem)}`).join('')
  throw new CallgateError('gates_file_invalid', `The gates file ${path} is not valid. Nothing runs until it is:${lines}`)
}

/** The text of a gates file; throws `gates_file_missing`, or `gates_file_invalid` where it is no file, too large, or no UTF-8. */
export async function readGatesText(path: string): Promise<string> {
  return decode(await readBytes(path), path)
}

const EXPRESSION_KEY = /\b(?:key|require|when|keys|keep|failedWhen|sum)["']?\s*:/u

/** Loads CEL only for a file that has expressions: whoever starts without waits for nothing. */
async function parse(text: string, path: string): Promise<ParsedGatesFile> {
  // Most files tell at a glance; a file whose keys are written in another way is read twice.
  if (EXPRESSION_KEY.test(text)) return parseWith(text, path, await loadCompiler())
  let hasExpressions = false
  const note: ExpressionCompiler = (source) => {
    hasExpressions = true
    return { kind: 'compiled', expression: { source, evaluate: () => undefined } }
  }
  const parsed = parseWith(text, path, note)
  return hasExpressions ? parseWith(text, path, await loadCompiler()) : parsed
}

async function loadCompiler(): Promise<ExpressionCompiler> {
  return (await import('./cel/compile-expression.ts')).compileExpression
}

async function readBytes(path: string): Promise<Buffer> {
  try {
    // A pipe or a device could be read forever.
    const kind = await stat(path)
    if (!kind.isFile()) throw invalid(path, `it is ${kind.isDirectory() ? 'a folder' : 'no regular file'}; name the file itself`)
    const chunks: Buffer[] = []
    // One byte more than allowed, to see that there is more.
    for await (const chunk of createReadStream(path, { end: MAX_FILE_SIZE })) chunks.push(chunk as Buffer)
    const bytes = Buffer.concat(chunks)
    if (bytes.length <= MAX_FILE_SIZE) return bytes
    throw invalid(path, `it is larger than ${MAX_FILE_SIZE} bytes, the most a gates file may have`)
  } catch (cause) {
    if (cause instanceof CallgateError) throw cause
    const code = (cause as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      throw new CallgateError('gates_file_missing', `There is no gates file at ${path}. Write one, or name another.`, { cause })
    }
    throw invalid(path, `${code ?? String(cause)}; check the path and its permissions`, cause)
  }
}

function decode(bytes: Buffer, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw invalid(path, 'it is not UTF-8; save it as UTF-8', cause)
  }
}

function invalid(path: string, why: string, cause?: unknown): CallgateError {
  return new CallgateError('gates_file_invalid', `The gates file ${path} cannot be read: ${why}.`, { cause })
}
