import { CONFIRM_GATE } from '@callgate/core'
import { list } from './list-reader.ts'
import { map } from './map-reader.ts'
import { names } from './names-reader.ts'
import { range } from './range-reader.ts'
import type { Range } from './range-reader.ts'
import { about, located, refine } from './reader.ts'
import type { JsonSchema, Located, Reader } from './reader.ts'
import { commandWord, gateName, toolName, words } from './text-reader.ts'
import { flag, version, word } from './word-reader.ts'

/** A rule as it stands in the file. */
export type WrittenRule = {
  readonly gate: Located<string>
  readonly tools: readonly string[]
  readonly message: string
  readonly condition?: Located<string>
}

/** A mark as it stands in the file. */
export type WrittenMark = { readonly gate: string; readonly tools: readonly string[]; readonly from?: 'tool' }

/** What stands under `gates`. */
export type WrittenGates = {
  readonly rules?: readonly Located<WrittenRule>[]
  readonly marks?: readonly Located<WrittenMark>[]
  readonly external?: readonly string[]
}

/** A whole file as it stands, with the places that later checks need. */
export type WrittenFile = {
  readonly version?: 1
  readonly server?: { readonly command: readonly string[] }
  readonly gates?: Located<WrittenGates>
  readonly typing?: {
    readonly mode: 'strict'
    readonly lowercaseBooleans?: boolean
    readonly invalid?: 'refuse' | 'forward'
    readonly tools?: { readonly [tool: string]: { readonly [argument: string]: Range } }
  }
}

const ELSEWHERE = {
  rules: '`gates`', marks: '`gates`', external: '`gates`', allow: '`gates`', deny: '`gates`', limits: '`gates`',
  default: '`gates`', unlisted: '`gates`', reload: '`gates`',
  gate: 'an item of `gates.rules` or `gates.marks`', tools: 'an item of `gates.rules` or `gates.marks`',
  message: 'an item of `gates.rules`', condition: 'an item of `gates.rules`', when: 'an item of `gates.rules`',
  from: 'an item of `gates.marks`', command: '`server`',
  mode: '`typing`', lowercaseBooleans: '`typing`', invalid: '`typing`',
  server: 'the outermost map', typing: 'the outermost map', gates: 'the outermost map', version: 'the outermost map',
}

const NEVER_MARKED = 'only a person answers it, so nothing can mark it'
const NEVER_ENFORCED = `${NEVER_MARKED} and the rule would never be enforced`
const tools = about('Exact names of tools.', list(toolName(), 1))

const rule: Reader<WrittenRule> = map({
  gate: about('The name that must be marked before the tools may run; `confirm` asks a person.', located(gateName())),
  tools,
  message: about('What the model reads until the gate is marked; for `confirm`, the question to the person.', words()),
  condition: about(
    'Another gate: the rule is only enforced once that one is marked.',
    located(gateName(CONFIRM_GATE, NEVER_ENFORCED)),
  ),
}, {
  required: ['gate', 'tools', 'message'],
  unbuilt: [
    'key', 'require', 'when', 'otherwise', 'approvers', 'notBy', 'quorum', 'expires', 'channel', 'showTo',
    'annotations', 'unannotated',
  ],
  elsewhere: ELSEWHERE,
})

const mark: Reader<WrittenMark> = map({
  gate: about('The gate that is marked.', gateName(CONFIRM_GATE, NEVER_MARKED)),
  tools,
  from: about('A tool that completed successfully marks the gate.', word(['tool'], ['user'])),
}, {
  required: ['gate', 'tools'],
  unbuilt: ['keys', 'keep', 'failedWhen', 'parse', 'expires', 'uses', 'clear'],
  elsewhere: ELSEWHERE,
})

const gates: Reader<WrittenGates> = map({
  rules: about('Preconditions, in the order in which they are judged.', list(located(rule), 0)),
  marks: about('Which tools mark a gate when they complete successfully.', list(located(mark), 0)),
  external: about("Gates that the host's own code marks.", list(gateName(CONFIRM_GATE, NEVER_MARKED), 0)),
}, { unbuilt: ['allow', 'deny', 'limits', 'default', 'unlisted', 'reload'], elsewhere: ELSEWHERE })

const typing = map({
  mode: about('The tier of casts.', word(['strict'], ['basic', 'flexible'])),
  lowercaseBooleans: about('The opt-in for "true" and "false".', flag()),
  invalid: about('What happens to arguments that cannot be repaired.', word(['refuse', 'forward'])),
  tools: about("Bounds by tool and argument, tighter than the tool's schema.", names(toolName(), names(words(), range()))),
}, { required: ['mode'], elsewhere: ELSEWHERE })

const file: Reader<WrittenFile> = map({
  version: about('The version of this format.', version()),
  server: about('The MCP server behind the gate.', map(
    { command: about('The program and its arguments.', command()) },
    { required: ['command'], unbuilt: ['url'], elsewhere: ELSEWHERE },
  )),
  gates: about('Which calls must wait for what.', located(gates)),
  typing: about('How arguments are repaired; without it none is changed.', typing),
}, {
  oneOf: { keys: ['gates', 'typing'], why: 'nothing would be gated' },
  unbuilt: ['redact', 'record', 'userText', 'examples'],
  elsewhere: ELSEWHERE,
})

/** Reads a whole file; one without any rule is refused unless it sets `typing`. */
export const gatesFormat: Reader<WrittenFile> = refine(file, (value, slot, reading) => {
  if (value.typing !== undefined || (value.gates?.value.rules ?? []).length > 0) return value
  reading.report(
    value.gates?.offset ?? slot.fallback, 'no_rules',
    '`gates` has no rule: nothing would be gated',
    'add an item to `gates.rules`',
  )
  return undefined
})

/** The part of the format that is built, as a JSON Schema (draft-07) for editors; published as schema/gates.schema.json. */
export function gatesFileSchema(): JsonSchema {
  return { $schema: 'http://json-schema.org/draft-07/schema#', title: 'callgate gates file', ...gatesFormat.schema }
}

function command(): Reader<readonly string[]> {
  const reader = refine(list(located(commandWord()), 1), (parts, _slot, reading) => {
    const program = parts[0]
    if (program?.value.trim() !== '') return parts.map(({ value }) => value)
    reading.report(
      program.offset, 'empty_text',
      'the first word of `command` is empty, and it names the program',
      'name the program',
    )
    return undefined
  })
  const { schema } = commandWord()
  const program = { ...schema, pattern: '^[^\\u0000]*[^\\u0000\\s][^\\u0000]*$' }
  return { ...reader, schema: { type: 'array', minItems: 1, items: [program], additionalItems: schema } }
}
