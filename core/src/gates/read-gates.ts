import type { GateRule, GateRules, LimitRule, MarkRule } from './gate-rule.ts'
import { countOf, expressionOf, forbid, invalid, listOf, markable, optional, readItem, textsOf, wordOf } from './read-item.ts'
import { readRule } from './read-rule.ts'

const MARK_WORDS = ['gate', 'tools', 'from', 'keys', 'keep', 'failedWhen', 'parse', 'expiresMs', 'uses', 'clear', 'line']
const LIMIT_WORDS = ['tools', 'calls', 'sum', 'max', 'perMs', 'repeats', 'line']
const FILE_WORDS = ['rules', 'marks', 'external', 'allow', 'deny', 'limits', 'default', 'unlisted']

/** Rules as plain data, each word checked, frozen, in file order (contract 9). Throws `invalid_rules` or `reserved_gate`. */
export function readGates(gates: GateRules | readonly GateRule[]): GateRules {
  const given: unknown = Array.isArray(gates) ? { rules: gates as readonly GateRule[] } : gates
  if (typeof given !== 'object' || given === null) throw invalid('rules must be a list.')
  const file = readItem(given, 'rules', FILE_WORDS)
  const { source } = file
  const read: GateRules = {
    rules: Object.freeze(listOf(source['rules'], 'rules').map((rule, at) => readRule(rule, `rule ${at + 1}`))),
    marks: Object.freeze(listOf(source['marks'] ?? [], 'marks').map((mark, at) => readMark(mark, `mark ${at + 1}`))),
    external: Object.freeze(listOf(source['external'] ?? [], 'external').map((gate) => markable(gate, 'external'))),
    ...optional(file, 'allow', (value) => textsOf(value, 'allow', true)),
    ...optional(file, 'deny', (value) => textsOf(value, 'deny', true)),
    ...optional(file, 'limits', (value) => Object.freeze(listOf(value, 'limits').map((limit, at) => readLimit(limit, `limit ${at + 1}`)))),
    ...optional(file, 'default', (value) => wordOf(value, 'default', ['allow', 'confirm', 'refuse'])),
    ...optional(file, 'unlisted', (value) => wordOf(value, 'unlisted', ['refuse', 'allow'])),
  }
  checkConditions(read)
  return Object.freeze(read)
}

function readMark(mark: unknown, where: string): MarkRule {
  const item = readItem(mark ?? {}, where, MARK_WORDS)
  const { source } = item
  const isFromUser = source['from'] === 'user'
  if (isFromUser) forbid(item, ['tools', 'keep', 'failedWhen', 'parse', 'clear'], 'is about a tool, and this mark is from what the user wrote')
  if (source['clear'] === true) forbid(item, ['keep', 'failedWhen', 'parse', 'expiresMs', 'uses'], 'is about a mark, and this item clears')
  const read: MarkRule = {
    gate: markable(source['gate'], where),
    ...(!isFromUser && { tools: textsOf(source['tools'], `${where}: tools`) }),
    ...optional(item, 'from', (value, at) => wordOf(value, at, ['tool', 'user'])),
    ...optional(item, 'keys', expressionOf),
    ...optional(item, 'keep', expressionOf),
    ...optional(item, 'failedWhen', expressionOf),
    ...optional(item, 'parse', (value, at) => wordOf(value, at, ['json'])),
    ...optional(item, 'expiresMs', countOf),
    ...optional(item, 'uses', countOf),
    ...optional(item, 'clear', (value, at) => {
      if (typeof value !== 'boolean') throw invalid(`${at} must be true or false.`)
      return value
    }),
    ...optional(item, 'line', countOf),
  }
  return Object.freeze(read)
}

function readLimit(limit: unknown, where: string): LimitRule {
  const item = readItem(limit ?? {}, where, LIMIT_WORDS)
  const kinds = ['calls', 'sum', 'repeats'].filter((word) => item.source[word] !== undefined)
  if (kinds.length !== 1) throw invalid(`${where} must have exactly one of calls, sum and repeats.`)
  const { max } = item.source
  if (kinds[0] !== 'sum') forbid(item, ['max'], 'is the bound of a sum, and there is none')
  else if (typeof max !== 'number' || !Number.isFinite(max) || max < 0) throw invalid(`${where}: max must be a number that is not negative.`)
  if (kinds[0] === 'repeats') forbid(item, ['perMs'], 'is no part of a limit on repeats')
  return Object.freeze({
    ...optional(item, 'tools', textsOf),
    ...optional(item, 'calls', countOf),
    ...optional(item, 'sum', expressionOf),
    ...(kinds[0] === 'sum' && { max: max as number }),
    ...optional(item, 'perMs', countOf),
    ...optional(item, 'repeats', countOf),
    ...optional(item, 'line', countOf),
  })
}

/** A condition that went stale would open what it closes (contract 9). */
function checkConditions({ rules, marks = [] }: GateRules): void {
  const conditions = new Set(rules.map((rule) => rule.condition))
  for (const [at, { gate, expiresMs, uses, clear }] of marks.entries()) {
    if (!conditions.has(gate) || (expiresMs === undefined && uses === undefined && clear !== true)) continue
    throw invalid(`mark ${at + 1}: the gate "${gate}" is a condition: its marks may neither expire, be used up nor be cleared.`)
  }
}
