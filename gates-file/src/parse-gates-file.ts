import { compileExpression } from './cel/compile-expression.ts'
import { parseWith } from './parse-with.ts'
import type { ParsedGatesFile } from './parse-with.ts'

/** Reads the text of a gates file, YAML 1.2 or JSON; `file` is its name in problems. Never throws for any text. */
export function parseGatesFile(text: string, options: { readonly file?: string } = {}): ParsedGatesFile {
  return parseWith(text, options.file ?? 'gates.yml', compileExpression)
}
