import { median } from '../figures.ts'
import { formatTable } from '../report.ts'
import type { InputKind } from './inputs.ts'
import type { Series } from './measure-admissions.ts'

const MOST_ZODS: Readonly<Record<InputKind, number>> = { valid: 15, repairable: 25 }
const MOST_BARE_DIGESTS = 2

/** What was measured: the admissions by the kind of arguments, and digests. */
export type TypingFigures = { readonly admissions: Readonly<Record<InputKind, readonly Series[]>>; readonly digests: readonly Series[] }

/** A ratio in one run: the median of the ratios of each round, and whether it is reached. */
export type TypingTarget = { readonly name: string; readonly ratio: number; readonly most: number; readonly isReached: boolean }

/** Each of our tiers beside zod's parse of the same arguments, and a digest beside the bare one. */
export function typingTargets({ admissions, digests }: TypingFigures): readonly TypingTarget[] {
  const kinds = ['valid', 'repairable'] as const
  const tiers = kinds.flatMap((kind) =>
    admissions[kind].filter(isOurs).map(({ name, micros }) => target(`${name}, ${kind} / zod`, micros, seriesOf(admissions[kind], 'zod'), MOST_ZODS[kind])))
  const [ours, bare] = digests
  return [...tiers, target('digest / JSON.stringify and SHA-256', ours?.micros ?? [], bare?.micros ?? [], MOST_BARE_DIGESTS)]
}

/** The figures as two tables: microseconds by contestant, and the targets. */
export function formatTypingReport(figures: TypingFigures): string {
  const { admissions, digests } = figures
  const rows = admissions.valid.map(({ name, micros }) => [name, show(median(micros)), show(median(seriesOf(admissions.repairable, name)))])
  const targets = typingTargets(figures).map(({ name, ratio, most, isReached }) => [name, ratio.toFixed(2), `at most ${most}`, isReached ? 'yes' : 'no'])
  return [
    'One call of six primitive parameters, in microseconds; medians of 15 rounds in which all take turns.',
    '',
    formatTable(['contestant', 'valid', 'repairable'], rows),
    '',
    formatTable(['digest of the valid arguments', 'microseconds'], digests.map(({ name, micros }) => [name, show(median(micros))])),
    '',
    formatTable(['ratio', 'measured', 'target', 'reached'], targets),
    '',
  ].join('\n')
}

function target(name: string, ours: readonly number[], theirs: readonly number[], most: number): TypingTarget {
  const ratio = median(ours.map((micros, round) => micros / (theirs[round] ?? Number.NaN)))
  return { name, ratio, most, isReached: ratio <= most }
}

function seriesOf(all: readonly Series[], name: string): readonly number[] {
  return all.find((one) => one.name === name)?.micros ?? []
}

function isOurs({ name }: Series): boolean {
  return name.startsWith('callgate')
}

function show(micros: number): string {
  return micros.toFixed(3)
}
