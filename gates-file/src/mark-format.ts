import { CONFIRM_GATE } from '@callgate/core'
import type { Expression } from '@callgate/core'
import { count, duration } from './amount-readers.ts'
import type { Root } from './cel/expression-compiler.ts'
import { ELSEWHERE } from './elsewhere.ts'
import { expression, placedExpression } from './expression-reader.ts'
import { list } from './list-reader.ts'
import { map } from './map-reader.ts'
import { about, located, offsetOf, refine } from './reader.ts'
import type { Located, Reader } from './reader.ts'
import { showText } from './show-text.ts'
import { gateName, toolName } from './text-reader.ts'
import { flag, word } from './word-reader.ts'

/** A mark as it stands in the file. */
export type WrittenMark = {
  readonly gate: string
  readonly tools?: Located<readonly string[]>
  readonly from?: Located<'tool' | 'user'>
  readonly keys?: Located<Expression>
  readonly keep?: Located<Expression>
  readonly failedWhen?: Located<Expression>
  readonly parse?: Located<'json'>
  readonly expires?: Located<number>
  readonly uses?: Located<number>
  readonly clear?: Located<boolean>
}

/** Why nothing may mark `confirm`. */
export const NEVER_MARKED = 'only a person answers it, so nothing can mark it'

const TOOL_ONLY = ['tools', 'keep', 'failedWhen', 'parse', 'clear'] as const
const MARK_ONLY = ['keep', 'failedWhen', 'parse', 'expires', 'uses', 'from'] as const

const ALL_ROOTS: readonly Root[] = ['args', 'result', 'text']

const written = map({
  gate: about('The gate that is marked.', gateName(CONFIRM_GATE, NEVER_MARKED)),
  tools: about('Names of tools, each of which marks the gate when it has succeeded; `*` stands for any text.', located(list(toolName(), 1))),
  from: about('Who marks the gate: a tool that completed successfully, or what the user wrote.', located(word(['tool', 'user']))),
  keys: about('CEL over args and result, with `from: user` over text: the keys that the mark carries.', located(placedExpression(...ALL_ROOTS))),
  keep: about('CEL over args and result: one fact a key, or one for all.', located(expression('args', 'result'))),
  failedWhen: about('CEL over args and result: where it is true the call failed.', located(expression('args', 'result'))),
  parse: about('`result` is the text parsed as JSON.', located(word(['json']))),
  expires: about('When the mark goes stale.', located(duration())),
  uses: about('How many calls that need the mark it serves.', located(count())),
  clear: about('The item clears marks instead, when a call of the tools starts.', located(flag())),
}, { required: ['gate'], elsewhere: ELSEWHERE })

const checked: Reader<WrittenMark> = refine(written, (mark, slot, reading) => {
  const isUser = mark.from?.value === 'user'
  let isGood = true
  const report = (offset: number, code: 'misplaced_key' | 'missing_key' | 'wrong_expression', message: string, hint: string): void => {
    isGood = false
    reading.report(offset, code, message, hint)
  }
  const refuse = (keys: readonly (keyof typeof mark)[], why: string): void => {
    for (const key of keys) {
      const found = mark[key] as Located<unknown> | undefined
      if (found !== undefined) report(found.offset, 'misplaced_key', `\`${key}\` means nothing here: ${why}`, 'remove it')
    }
  }
  if (isUser) refuse(TOOL_ONLY, 'the user marks this gate, no tool')
  else if (mark.tools === undefined) report(offsetOf(slot), 'missing_key', `${slot.label} has no \`tools\``, 'add `tools:`, or `from: user`')
  if (mark.clear?.value === true) refuse(MARK_ONLY, 'this item clears marks')
  const { keys, ...others } = mark
  if (keys === undefined) return isGood ? others : undefined
  const roots: readonly Root[] = isUser ? ['text'] : mark.clear?.value === true ? ['args'] : ['args', 'result']
  const compiled = reading.compile(keys.value.expression.source, roots)
  if (compiled.kind === 'wrong') {
    const message = `the expression of \`keys\` is wrong: ${showText(compiled.message, 300)}`
    report(keys.value.placeOf(compiled.offset), 'wrong_expression', message, `here it is CEL over ${roots.join(' and ')}`)
    return undefined
  }
  return isGood ? { ...others, keys: { offset: keys.offset, value: compiled.expression } } : undefined
})

const MARKED_BY = { anyOf: [{ required: ['tools'] }, { required: ['from'], properties: { from: { const: 'user' } } }] }

/** Reads one mark; what means nothing together is refused, and an expression over what is not there. */
export const markFormat: Reader<WrittenMark> = { ...checked, schema: { ...checked.schema, ...MARKED_BY } }
