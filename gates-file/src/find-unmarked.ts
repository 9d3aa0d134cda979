import { CONFIRM_GATE } from '@callgate/core'
import type { WrittenGates } from './gates-format.ts'
import { nearestWord } from './nearest-word.ts'
import type { ProblemList } from './problem-list.ts'
import type { ProblemCode } from './problem.ts'
import { quoteText } from './show-text.ts'

/** Warns, once a gate, of gates that rules need or ask about and that nothing marks. */
export function findUnmarked(gates: WrittenGates, problems: ProblemList): void {
  const marked = new Set([
    ...(gates.marks ?? []).filter(({ value }) => value.clear?.value !== true).map(({ value }) => value.gate),
    ...(gates.external ?? []),
  ])
  const warned = new Set<string>()

  function warnOnce(gate: string, offset: number, code: ProblemCode, message: string): void {
    if (marked.has(gate) || warned.has(gate)) return
    warned.add(gate)
    problems.warn(offset, code, message, () => {
      const near = nearestWord(gate, code === 'gate_never_marked' ? [...marked, CONFIRM_GATE] : marked)
      return near === undefined ? 'add it to `gates.marks`, or to `gates.external` where code marks it' : `did you mean ${quoteText(near)}?`
    })
  }

  for (const { value: { gate, condition } } of gates.rules ?? []) {
    if (gate.value !== CONFIRM_GATE) {
      warnOnce(gate.value, gate.offset, 'gate_never_marked', `nothing marks ${quoteText(gate.value)}: this rule can never be met`)
    }
    if (condition !== undefined) {
      const message = `nothing marks ${quoteText(condition.value)}: this rule is never enforced`
      warnOnce(condition.value, condition.offset, 'condition_never_marked', message)
    }
  }
}
