import { CONFIRM_GATE } from '@callgate/core'
import { ELSEWHERE } from './elsewhere.ts'
import { exampleFormat } from './example-format.ts'
import type { WrittenExample } from './example-format.ts'
import { limitFormat } from './limit-format.ts'
import type { WrittenLimit } from './limit-format.ts'
import { list } from './list-reader.ts'
import { map } from './map-reader.ts'
import { markFormat, NEVER_MARKED } from './mark-format.ts'
import type { WrittenMark } from './mark-format.ts'
import { names } from './names-reader.ts'
import { range } from './range-reader.ts'
import type { Range } from './range-reader.ts'
import { about, located, refine } from './reader.ts'
import type { JsonSchema, Located, Reader } from './reader.ts'
import { ruleFormat } from './rule-format.ts'
import type { WrittenRule } from './rule-format.ts'
import { serverFormat } from './server-format.ts'
import type { WrittenServer } from './server-format.ts'
import { argumentPath, exactToolName, gateName, headerName, toolName, words } from './text-reader.ts'
import { flag, version, word } from './word-reader.ts'

/** What stands under `gates`. */
export type WrittenGates = {
  readonly rules?: readonly Located<WrittenRule>[]
  readonly marks?: readonly Located<WrittenMark>[]
  readonly external?: readonly string[]
  readonly allow?: readonly string[]
  readonly deny?: readonly string[]
  readonly limits?: readonly Located<WrittenLimit>[]
  readonly default?: 'allow' | 'confirm' | 'refuse'
  readonly unlisted?: 'refuse' | 'allow'
  readonly reload?: Located<'tighten' | 'any' | 'never'>
}

/** A whole file as it stands, with the places that later checks need. */
export type WrittenFile = {
  readonly version?: 1
  readonly server?: WrittenServer
  readonly gates?: Located<WrittenGates>
  readonly typing?: {
    readonly mode: Located<'strict' | 'basic' | 'flexible'>
    readonly lowercaseBooleans?: boolean
    readonly invalid?: 'refuse' | 'forward'
    readonly tools?: { readonly [tool: string]: { readonly [argument: string]: Range } }
  }
  readonly redact?: Located<readonly string[]>
  readonly record?: Located<{ readonly onError: 'refuse' | 'warn' }>
  readonly userText?: Located<{ readonly header: string }>
  readonly examples?: readonly Located<WrittenExample>[]
}

const gates: Reader<WrittenGates> = map({
  rules: about('Preconditions, in the order in which they are judged.', list(located(ruleFormat), 0)),
  marks: about('Who marks a gate, without code in the tool.', list(located(markFormat), 0)),
  external: about("Gates that the host's own code marks.", list(gateName(CONFIRM_GATE, NEVER_MARKED), 0)),
  allow: about('When present, tools that no name here is about are refused.', list(toolName(), 1)),
  deny: about('Tools that are always refused.', list(toolName(), 1)),
  limits: about('Bounds in one session.', list(located(limitFormat), 0)),
  default: about('What becomes of a tool that no rule names.', word(['allow', 'confirm', 'refuse'])),
  unlisted: about('What becomes of a tool that the server does not list.', word(['refuse', 'allow'])),
  reload: about('Which changes of this file a running gateway takes over.', located(word(['tighten', 'any', 'never']))),
}, { elsewhere: ELSEWHERE })

const typing = map({
  mode: about('The tier of casts.', located(word(['strict', 'basic', 'flexible']))),
  lowercaseBooleans: about('The opt-in for "true" and "false".', flag()),
  invalid: about('What happens to arguments that cannot be repaired.', word(['refuse', 'forward'])),
  tools: about("Bounds by tool and argument, tighter than the tool's schema.", names(exactToolName(), names(words(), range()))),
}, { required: ['mode'], elsewhere: ELSEWHERE })

const file: Reader<WrittenFile> = map({
  version: about('The version of this format.', version()),
  server: about('The MCP server behind the gate.', serverFormat),
  gates: about('Which calls must wait for what.', located(gates)),
  typing: about('How arguments are repaired; without it none is changed.', typing),
  redact: about('Arguments that are never written to the record, as args.card_number.', located(list(argumentPath(), 1))),
  record: about('What becomes of a call that cannot be recorded.', located(map({ onError: word(['refuse', 'warn']) }, { required: ['onError'] }))),
  userText: about("HTTP gateways only: the header that carries the user's own words.", located(map({ header: headerName() }, { required: ['header'] }))),
  examples: about('Calls and what becomes of them, tried by `callgate check`.', list(located(exampleFormat), 0)),
}, { oneOf: { keys: ['gates', 'typing'], why: 'nothing would be gated' }, elsewhere: ELSEWHERE })

/** Reads a whole file; one that gates nothing is refused unless it sets `typing`. */
export const gatesFormat: Reader<WrittenFile> = refine(file, (value, slot, reading) => {
  if (value.typing !== undefined || isGating(value.gates?.value ?? {})) return value
  reading.report(
    value.gates?.offset ?? slot.fallback, 'no_rules',
    '`gates` has no rule: nothing would be gated',
    'add an item to `gates.rules`',
  )
  return undefined
})

/** The format as a JSON Schema (draft-07) for editors; published as schema/gates.schema.json. */
export function gatesFileSchema(): JsonSchema {
  return { $schema: 'http://json-schema.org/draft-07/schema#', title: 'callgate gates file', ...gatesFormat.schema }
}

function isGating({ rules = [], allow, deny, limits = [], default: otherwise = 'allow' }: WrittenGates): boolean {
  return rules.length > 0 || limits.length > 0 || allow !== undefined || deny !== undefined || otherwise !== 'allow'
}
