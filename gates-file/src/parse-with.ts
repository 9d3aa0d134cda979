import type { ExpressionCompiler } from './cel/expression-compiler.ts'
import { findFleeting } from './find-fleeting.ts'
import { findUnmarked } from './find-unmarked.ts'
import type { GatesFile } from './gates-file.ts'
import { gatesFormat } from './gates-format.ts'
import type { WrittenFile } from './gates-format.ts'
import { parseYaml } from './parse-yaml.ts'
import { createPlaces } from './places.ts'
import type { Place } from './places.ts'
import { createProblemList } from './problem-list.ts'
import type { Problem } from './problem.ts'
import { createReading } from './reader.ts'
import { resolveAliases } from './resolve-aliases.ts'
import { toGatesFile } from './to-gates-file.ts'

/** A file that was read, with what is doubtful in it; or all that is wrong, at most 100 problems in the order of the text. */
export type ParsedGatesFile =
  | {
      readonly ok: true
      readonly gates: GatesFile
      readonly warnings: readonly Problem[]
      /** Where the value of a JSON Pointer into the file stands, as `/gates/rules/3/tools/0`; of what is not there, what would hold it. */
      placeOf(pointer: string): Place
    }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/** Reads the text of a gates file with the expressions compiled by `compile`. Never throws for any text. */
export function parseWith(text: string, file: string, compile: ExpressionCompiler): ParsedGatesFile {
  const body = text.startsWith('\ufeff') ? text.slice(1) : text
  const problems = createProblemList(file, body)
  const root = parseYaml(body, problems)
  if (root === undefined) return Object.freeze({ ok: false, problems: problems.sorted() })
  const targets = resolveAliases(root, problems)
  const written: WrittenFile | undefined = gatesFormat.read(
    { label: 'the file', node: root, fallback: root.range?.[0] ?? 0 },
    createReading(targets, problems, compile),
  )
  if (written !== undefined) findFleeting(written.gates?.value ?? {}, problems)
  if (written === undefined || problems.hasErrors) return Object.freeze({ ok: false, problems: problems.sorted() })
  // Only of a file that is valid: what is unmarked for another fault is no second problem.
  findUnmarked(written.gates?.value ?? {}, problems)
  const gates = deepFreeze(toGatesFile(written, body, problems))
  return Object.freeze({ ok: true, gates, warnings: problems.sorted(), placeOf: createPlaces(root, targets, problems.placeOf) })
}

// Bounded by the format: what is read here nests no deeper than the YAML may.
function deepFreeze<T extends object>(value: T): T {
  for (const child of Object.values(value) as unknown[]) {
    if (typeof child === 'object' && child !== null && !Object.isFrozen(child)) deepFreeze(child)
  }
  return Object.freeze(value)
}
