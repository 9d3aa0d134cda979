import { sha256Hex } from '@callgate/core'
import type { GateRules } from '@callgate/core'
import { findUnmarked } from './find-unmarked.ts'
import type { GatesFile, TypingSettings } from './gates-file.ts'
import { gatesFormat } from './gates-format.ts'
import type { WrittenFile, WrittenGates } from './gates-format.ts'
import { parseYaml } from './parse-yaml.ts'
import { createProblemList } from './problem-list.ts'
import type { ProblemList } from './problem-list.ts'
import type { Problem } from './problem.ts'
import { createReading } from './reader.ts'
import { resolveAliases } from './resolve-aliases.ts'

const NO_BOUNDS: TypingSettings['tools'] = Object.freeze(Object.create(null) as TypingSettings['tools'])
const TYPING_DEFAULTS: Omit<TypingSettings, 'mode'> = { lowercaseBooleans: false, invalid: 'refuse', tools: NO_BOUNDS }

/** A file that was read, with what is doubtful in it; or all that is wrong, at most 100 problems in the order of the text. */
export type ParsedGatesFile =
  | { readonly ok: true; readonly gates: GatesFile; readonly warnings: readonly Problem[] }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/** Reads the text of a gates file, YAML 1.2 or JSON; `file` is its name in problems. Never throws for any text. */
export function parseGatesFile(text: string, options: { readonly file?: string } = {}): ParsedGatesFile {
  const body = text.startsWith('\ufeff') ? text.slice(1) : text
  const problems = createProblemList(options.file ?? 'gates.yml', body)
  const written = readWritten(body, problems)
  if (written === undefined || problems.hasErrors) return Object.freeze({ ok: false, problems: problems.sorted() })
  findUnmarked(written.gates?.value ?? {}, problems)
  return Object.freeze({ ok: true, gates: toGatesFile(written, body, problems), warnings: problems.sorted() })
}

function readWritten(text: string, problems: ProblemList): WrittenFile | undefined {
  const root = parseYaml(text, problems)
  if (root === undefined) return undefined
  const reading = createReading(resolveAliases(root, problems), problems)
  return gatesFormat.read({ label: 'the file', node: root, fallback: root.range?.[0] ?? 0 }, reading)
}

function toGatesFile(written: WrittenFile, text: string, problems: ProblemList): GatesFile {
  return deepFreeze({
    digest: sha256Hex(text),
    ...(written.server && { server: { command: written.server.command } }),
    rules: toRules(written.gates?.value ?? {}, problems),
    ...(written.typing && { typing: { ...TYPING_DEFAULTS, ...written.typing } }),
  })
}

function toRules({ rules = [], marks, external }: WrittenGates, problems: ProblemList): GateRules {
  return {
    rules: rules.map(({ offset, value: { gate, tools, message, condition } }) => ({
      gate: gate.value, tools, message, ...(condition && { condition: condition.value }), line: problems.lineOf(offset),
    })),
    ...(marks && { marks: marks.map(({ offset, value: { gate, tools } }) => ({ gate, tools, line: problems.lineOf(offset) })) }),
    ...(external && { external }),
  }
}

// Bounded by the format: what is read here is at most five levels deep.
function deepFreeze<T extends object>(value: T): T {
  for (const child of Object.values(value) as unknown[]) {
    if (typeof child === 'object' && child !== null && !Object.isFrozen(child)) deepFreeze(child)
  }
  return Object.freeze(value)
}
