import { CONFIRM_GATE } from '@callgate/core'
import type { Expression, ToolAnnotations } from '@callgate/core'
import { count, duration } from './amount-readers.ts'
import { ELSEWHERE } from './elsewhere.ts'
import { expression } from './expression-reader.ts'
import { list } from './list-reader.ts'
import { map } from './map-reader.ts'
import { about, located, refine } from './reader.ts'
import type { Located, Reader, Reading } from './reader.ts'
import { gateName, toolName, words } from './text-reader.ts'
import { flag, word } from './word-reader.ts'

/** A rule as it stands in the file. */
export type WrittenRule = {
  readonly gate: Located<string>
  readonly message: string
  readonly tools?: readonly string[]
  readonly annotations?: Located<ToolAnnotations>
  readonly unannotated?: Located<boolean>
  readonly condition?: Located<string>
  readonly key?: Located<Expression>
  readonly require?: Located<Expression>
  readonly when?: Expression
  readonly otherwise?: Located<'refuse' | 'hold'>
  readonly approvers?: Located<readonly string[]>
  readonly notBy?: Located<'requester'>
  readonly quorum?: Located<number>
  readonly expires?: Located<number>
  readonly channel?: Located<'console' | 'elicitation'>
  readonly showTo?: Located<readonly string[]>
}

const NEVER_ENFORCED = 'only a person answers it, so nothing can mark it and the rule would never be enforced'
const NOTHING_LOOKED_UP = 'a person answers `confirm`, so nothing is looked up for it'
const MEANINGLESS = ['key', 'require', 'otherwise'] as const
const ASKING = ['approvers', 'notBy', 'quorum', 'expires', 'channel', 'showTo'] as const

const hints = map({
  readOnlyHint: flag(),
  destructiveHint: flag(),
  idempotentHint: flag(),
  openWorldHint: flag(),
}, { oneOf: { keys: ['destructiveHint', 'readOnlyHint', 'idempotentHint', 'openWorldHint'], why: 'it would be about every tool' } })

const written = map({
  gate: about('The name that must be marked before the tools may run; `confirm` asks a person.', located(gateName())),
  tools: about('Names of tools; `*` stands for any text.', list(toolName(), 1)),
  annotations: about("What the server says of its tool, where it is trusted: the rule is about tools of which all this is said.", located(hints)),
  unannotated: about('With `annotations`: is the rule about tools that say nothing of it?', located(flag())),
  message: about('What the model reads until the gate is marked; for `confirm`, the question to the person, with {tool} for the tool.', words()),
  condition: about('Another gate: the rule is only enforced once that one is marked.', located(gateName(CONFIRM_GATE, NEVER_ENFORCED))),
  key: about('CEL over args: the key that a mark must carry, or a list of keys.', located(expression('args'))),
  require: about('CEL over fact and args: must be true of what the mark kept under the key.', located(expression('fact', 'args'))),
  when: about('CEL over args: the rule is only about calls for which it is true.', expression('args')),
  otherwise: about('What an unmet rule does: refuse the call, or ask a person.', located(word(['refuse', 'hold']))),
  approvers: about('Roles, one of which the person must have; anyone who may approve if absent.', located(list(words(), 1))),
  notBy: about('The requester may not approve.', located(word(['requester']))),
  quorum: about('How many different people must say yes.', located(count())),
  expires: about('How long the question stands; then it is a no.', located(duration())),
  channel: about('Where the person is asked.', located(word(['console', 'elicitation']))),
  showTo: about('Roles that see redacted values in the question.', located(list(words(), 1))),
}, { required: ['gate', 'message'], oneOf: { keys: ['tools', 'annotations'], why: 'it would be about no tool' }, elsewhere: ELSEWHERE })

const checked: Reader<WrittenRule> = refine(written, (rule, _slot, reading) => {
  const isAsking = rule.gate.value === CONFIRM_GATE || rule.otherwise?.value === 'hold'
  const misplaced = [
    ...(rule.gate.value === CONFIRM_GATE ? refuse(rule, MEANINGLESS, NOTHING_LOOKED_UP, 'use `when`, or another gate') : []),
    ...(isAsking ? [] : refuse(rule, ASKING, 'only a rule that asks a person has it', 'add `otherwise: hold`, or remove it')),
    ...(rule.annotations === undefined ? refuse(rule, ['unannotated'], 'the rule has no `annotations`', 'remove it') : []),
  ]
  for (const { offset, message, hint } of misplaced) reading.report(offset, 'misplaced_key', message, hint)
  const isComplete = reportUnsaid(rule, reading)
  return misplaced.length === 0 && isComplete ? rule : undefined
})

/** Reads one rule; keys that mean nothing where they stand are refused. */
export const ruleFormat: Reader<WrittenRule> = { ...checked, schema: { ...checked.schema, dependencies: { annotations: ['unannotated'] } } }

/** Whether tools without annotations are meant must be said: both readings of a silent rule open something. */
function reportUnsaid({ annotations, unannotated }: WrittenRule, reading: Reading): boolean {
  if (annotations === undefined || unannotated !== undefined) return true
  const message = 'a rule with `annotations` has no `unannotated`: is it about tools that say nothing?'
  reading.report(annotations.offset, 'missing_key', message, 'add `unannotated: true`, or false')
  return false
}

type Misplaced = { readonly offset: number; readonly message: string; readonly hint: string }

function refuse(rule: WrittenRule, keys: readonly (keyof WrittenRule)[], why: string, hint: string): readonly Misplaced[] {
  return keys.flatMap((key) => {
    const found = rule[key] as Located<unknown> | undefined
    return found === undefined ? [] : [{ offset: found.offset, message: `\`${key}\` means nothing here: ${why}`, hint }]
  })
}
