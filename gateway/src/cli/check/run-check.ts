import { resolve } from 'node:path'
import { checkRules } from '@callgate/analysis'
import type { Finding, KnownTool } from '@callgate/analysis'
import { CallgateError } from '@callgate/core'
import { gatesFileSchema, parseGatesFile, readGatesText } from '@callgate/gates-file'
import type { GatesFile, Place, Problem } from '@callgate/gates-file'
import { loadTyping } from '../../calls/tool-typing.ts'
import { jsonText } from '../json-text.ts'
import { revealPlain } from '../reveal.ts'
import type { Surroundings } from '../surroundings.ts'
import { readToolsFile } from '../tools-file.ts'
import type { CheckFlags } from './check-flags.ts'
import { listServerTools } from './list-server-tools.ts'

/** One complaint, as `--json` prints it. */
type Complaint = {
  readonly code: string
  readonly severity: 'error' | 'warning'
  readonly message: string
  readonly line: number
  readonly column: number
  readonly hint?: string
}

/** Doubts of the reader that are errors here: what is checked before it runs can still be mended. */
const NEVER: ReadonlySet<string> = new Set(['gate_never_marked', 'condition_never_marked'])

/** Checks a gates file and prints what is wrong; resolves with 1 where something is an error, else with 0. */
export async function runCheck(file: string | undefined, flags: CheckFlags, surroundings: Surroundings): Promise<number> {
  if (file === undefined) throw new CallgateError('invalid_option', 'Name the gates file to check, as in `callgate check gates.yml`.')
  const path = resolve(surroundings.cwd, file)
  const parsed = parseGatesFile(await readGatesText(path), { file })
  const complaints = parsed.ok
    ? [...parsed.warnings.map(complaintOf), ...(await findingsOf(parsed.gates, flags, surroundings)).map((finding) => placed(finding, parsed.placeOf))]
    : parsed.problems.map(complaintOf)
  const problems = complaints.toSorted((a, b) => a.line - b.line || a.column - b.column)
  const errors = problems.filter(({ severity }) => severity === 'error').length
  const ok = errors === 0
  surroundings.stdout.write(flags.json === true ? `${jsonText({ ok, problems })}\n` : textOf(file, problems, errors))
  return ok ? 0 : 1
}

/** Prints the format's JSON Schema. */
export function printSchema({ stdout }: Surroundings): number {
  stdout.write(`${JSON.stringify(gatesFileSchema(), null, 2)}\n`)
  return 0
}

async function findingsOf(gates: GatesFile, { tools, server }: CheckFlags, surroundings: Surroundings): Promise<readonly Finding[]> {
  const known = await knownTools(gates, { ...(tools !== undefined && { tools }), ...(server !== undefined && { server }) }, surroundings)
  const typing = gates.typing === undefined ? undefined : await loadTyping(gates.typing)
  return checkRules(gates.rules, {
    ...(known !== undefined && { tools: known }),
    ...(gates.examples !== undefined && { examples: gates.examples }),
    ...(typing !== undefined && { policies: typing.policies }),
  })
}

async function knownTools({ server: settings }: GatesFile, { tools, server }: CheckFlags, { cwd, env }: Surroundings): Promise<readonly KnownTool[] | undefined> {
  if (tools !== undefined) return readToolsFile(resolve(cwd, tools))
  if (server !== true) return undefined
  if (settings?.command === undefined) throw new CallgateError('invalid_option', 'The file names no server to ask: add `server.command`, or pass --tools.')
  return listServerTools({ command: settings.command, env, cwd })
}

function complaintOf({ code, severity, message, line, column, hint }: Problem): Complaint {
  return { code, severity: NEVER.has(code) ? 'error' : severity, message, line, column, ...(hint !== undefined && { hint }) }
}

function placed({ code, severity, pointer, message, hint }: Finding, placeOf: (pointer: string) => Place): Complaint {
  return { code, severity, message, ...placeOf(pointer), ...(hint !== undefined && { hint }) }
}

function textOf(file: string, problems: readonly Complaint[], errors: number): string {
  const lines = problems.map(({ code, severity, message, line, column, hint }) =>
    `${file}:${line}:${column}: ${severity} ${code}: ${revealPlain(message)}${hint === undefined ? '' : `; ${revealPlain(hint)}`}`)
  const warnings = problems.length - errors
  const sum = problems.length === 0 ? `${file}: nothing is wrong` : `${file}: ${errors} ${errors === 1 ? 'error' : 'errors'}, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`
  return `${[...lines, sum].join('\n')}\n`
}
