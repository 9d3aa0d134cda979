import { formatTable } from '../report.ts'
import type { RuleFigure } from './measure-rules.ts'

const OURS = 'callgate'
const FLOOR = 'floor: Map and a bit test'
const MOST_FLOORS = 4
const LEAST_TIMES_FASTER = 15
const PEERS = ['CASL', 'casbin', 'cedar-wasm', 'json-rules-engine']

/** A target and what was measured; `ratio` is absent where a part of it was not run. */
export type RuleTarget = { readonly name: string; readonly ratio?: number; readonly target: string; readonly reached: boolean }

/** What issue-size claims the figures bear out: at most 4 floors at every size, and 15 times faster than the fastest peer at 10,000 rules. */
export function ruleTargets(figures: readonly RuleFigure[]): readonly RuleTarget[] {
  const at = (name: string, rules: number): number | undefined => figures.find((one) => one.name === name && one.rules === rules)?.micros
  const sizes = [...new Set(figures.map(({ rules }) => rules))]
  const floors = sizes.map((rules): RuleTarget => {
    const ratio = divide(at(OURS, rules), at(FLOOR, rules))
    return { name: `callgate / floor at ${rules}`, ...(ratio !== undefined && { ratio }), target: `at most ${MOST_FLOORS}`, reached: ratio !== undefined && ratio <= MOST_FLOORS }
  })
  const fastest = Math.min(...PEERS.map((peer) => at(peer, 10_000) ?? Infinity))
  const times = divide(fastest, at(OURS, 10_000))
  const faster = { name: 'fastest peer / callgate at 10000', ...(times !== undefined && { ratio: times }), target: `at least ${LEAST_TIMES_FASTER}`, reached: times !== undefined && times >= LEAST_TIMES_FASTER }
  return sizes.includes(10_000) ? [...floors, faster] : floors
}

/** The figures as a table: a row a contestant, a column a size, in microseconds a decision. */
export function formatRuleReport(figures: readonly RuleFigure[]): string {
  const sizes = [...new Set(figures.map(({ rules }) => rules))]
  const names = [...new Set(figures.map(({ name }) => name))]
  const cell = (name: string, rules: number): string => {
    const micros = figures.find((one) => one.name === name && one.rules === rules)?.micros
    return micros === undefined ? 'not run' : micros < 100 ? micros.toFixed(3) : micros.toFixed(0)
  }
  const targets = ruleTargets(figures).map(({ name, ratio, target, reached }) => [name, ratio?.toFixed(2) ?? 'not run', target, reached ? 'yes' : 'no'])
  return [
    'One decision, in microseconds, over a tenth as many tools as rules; medians of 7 rounds.',
    '',
    formatTable(['rules', ...sizes.map(String)], names.map((name) => [name, ...sizes.map((rules) => cell(name, rules))])),
    '',
    formatTable(['ratio', 'measured', 'target', 'reached'], targets),
    '',
    'Not run: what would take minutes. OPA is not among them: its policies are compiled by a program that no npm package carries.',
    '',
  ].join('\n')
}

function divide(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined || !Number.isFinite(a) ? undefined : a / b
}
