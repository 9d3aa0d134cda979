import { resolve } from 'node:path'
import { checkRules, FINDING_CODES } from '@callgate/analysis'
import type { Finding, NamedTool } from '@callgate/analysis'
import { CallgateError, formatPointer } from '@callgate/core'
import { gatesFileSchema, parseGatesFile, readGatesText } from '@callgate/gates-file'
import type { GatesFile, Place, Problem } from '@callgate/gates-file'
import type { ListedTool } from '../../calls/read-listing.ts'
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

/** What the reader only doubts, not all of it where that is much, and the check looks for itself. */
const CHECKED: ReadonlySet<string> = new Set([...FINDING_CODES, 'too_many_problems'])

/** Checks a gates file and prints what is wrong; resolves with 1 where something is an error, else with 0. */
export async function runCheck(file: string | undefined, flags: CheckFlags, surroundings: Surroundings): Promise<number> {
  if (file === undefined) throw new CallgateError('invalid_option', 'Name the gates file to check, as in `callgate check gates.yml`.')
  const path = resolve(surroundings.cwd, file)
  const parsed = parseGatesFile(await readGatesText(path), { file })
  const complaints = parsed.ok
    ? [
        ...parsed.warnings.filter(({ code }) => !CHECKED.has(code)).map(complaintOf),
        ...(await findingsOf(parsed.gates, flags, surroundings)).map((finding) => placed(finding, parsed.placeOf)),
      ]
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

async function findingsOf(gates: GatesFile, flags: CheckFlags, surroundings: Surroundings): Promise<readonly Finding[]> {
  const { rules, examples, typing: settings } = gates
  const tools = await knownTools(gates, flags, surroundings)
  const typing = examples === undefined || (settings === undefined && tools === undefined) ? undefined : await loadTyping(settings)
  const listed = new Map(tools?.map((tool) => [tool.name, tool]))
  return checkRules(rules, {
    names: typedTools(gates),
    ...(tools !== undefined && { tools }),
    ...(examples !== undefined && { examples }),
    ...(typing !== undefined && {
      policies: typing.policies,
      schemaOf: (name) => {
        const tool = listed.get(name)
        return tool && typing.schemaOf(tool, 'check')
      },
    }),
  })
}

function typedTools({ typing }: GatesFile): readonly NamedTool[] {
  return Object.keys(typing?.tools ?? {}).map((name) => ({ name, pointer: formatPointer(['typing', 'tools', name]) }))
}

async function knownTools({ server: settings }: GatesFile, { tools, server }: CheckFlags, { cwd, env }: Surroundings): Promise<readonly ListedTool[] | undefined> {
  if (tools !== undefined) return readToolsFile(resolve(cwd, tools))
  if (server !== true) return undefined
  if (settings?.command === undefined) throw new CallgateError('invalid_option', 'The file names no server to ask: add `server.command`, or pass --tools.')
  return listServerTools({ command: settings.command, env, cwd })
}

function complaintOf({ code, severity, message, line, column, hint }: Problem): Complaint {
  return { code, severity, message, line, column, ...(hint !== undefined && { hint }) }
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
