import type { Expression } from '@callgate/core'
import { count, duration } from './amount-readers.ts'
import { ELSEWHERE } from './elsewhere.ts'
import { expression } from './expression-reader.ts'
import { list } from './list-reader.ts'
import { map } from './map-reader.ts'
import { exactNumber } from './range-reader.ts'
import { about, located, offsetOf, refine } from './reader.ts'
import type { Located, Reader } from './reader.ts'
import { toolName } from './text-reader.ts'

/** A limit as it stands in the file. */
export type WrittenLimit = {
  readonly tools?: readonly string[]
  readonly calls?: Located<number>
  readonly sum?: Located<Expression>
  readonly max?: Located<number>
  readonly per?: Located<number>
  readonly repeats?: Located<number>
}

const KINDS = ['calls', 'sum', 'repeats'] as const

const written = map({
  tools: about('Names of tools; every tool if absent.', list(toolName(), 1)),
  calls: about('How many calls may run.', located(count())),
  sum: about('CEL over args: what is added up.', located(expression('args'))),
  max: about('The most that the sum may be.', located(exactNumber())),
  per: about('In which time; in the whole session if absent.', located(duration())),
  repeats: about('How many identical calls may run in a row.', located(count())),
}, { oneOf: { keys: KINDS, why: 'it would bound nothing' }, elsewhere: ELSEWHERE })

const checked: Reader<WrittenLimit> = refine(written, (limit, slot, reading) => {
  const [first, second] = KINDS.filter((kind) => limit[kind] !== undefined)
  const misplaced = (key: 'calls' | 'sum' | 'max' | 'per' | 'repeats', why: string): undefined => {
    reading.report(limit[key]?.offset ?? offsetOf(slot), 'misplaced_key', `\`${key}\` means nothing here: ${why}`, 'make it a limit of its own, or remove it')
  }
  if (second !== undefined) return misplaced(second, `this limit bounds \`${first}\``)
  if (limit.max !== undefined && first !== 'sum') return misplaced('max', 'it bounds a `sum`')
  if (limit.per !== undefined && first === 'repeats') return misplaced('per', '`repeats` counts identical calls in a row, whenever they come')
  if (first === 'sum' && limit.max === undefined) {
    reading.report(offsetOf(slot), 'missing_key', `${slot.label} has a \`sum\` and no \`max\``, 'add `max:`')
    return undefined
  }
  if (limit.max !== undefined && limit.max.value < 0) {
    reading.report(limit.max.offset, 'empty_range', '`max` is below zero: no call would pass', 'raise it, or put the tools under `deny`')
    return undefined
  }
  return limit
})

/** Reads one limit: on calls, on a sum with its `max`, or on repeats. */
export const limitFormat: Reader<WrittenLimit> = { ...checked, schema: { ...checked.schema, dependencies: { sum: ['max'] } } }
