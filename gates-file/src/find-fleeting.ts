import type { WrittenGates } from './gates-format.ts'
import type { ProblemList } from './problem-list.ts'
import type { Located } from './reader.ts'
import { quoteText } from './show-text.ts'

/** Refuses marks that can go while a rule has their gate as its condition: the rule would open with them (contract 9). */
export function findFleeting({ rules = [], marks = [] }: WrittenGates, problems: ProblemList): void {
  const conditions = new Set(rules.flatMap(({ value: { condition } }) => (condition === undefined ? [] : [condition.value])))
  for (const { value: { gate, expires, uses, clear } } of marks) {
    if (!conditions.has(gate)) continue
    for (const [key, found] of Object.entries<Located<unknown> | undefined>({ expires, uses, clear })) {
      if (found === undefined || found.value === false) continue
      problems.error(
        found.offset, 'condition_must_last',
        `${quoteText(gate)} is the condition of a rule, so \`${key}\` would open what that rule closes`,
        'remove it, or give the rule another condition',
      )
    }
  }
}
