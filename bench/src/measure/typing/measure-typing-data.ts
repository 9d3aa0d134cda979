import { TIERS } from '../../typing/tiers.ts'
import type { Tier } from '../../typing/tiers.ts'
import { createRowJudge } from './judge-row.ts'
import type { TypingRow } from './typing-row.ts'

/** Rows of one class in one tier. `equal`, `different`, `unfit` and `unpublished` share out the repaired; `later` judges them by the model's next value. */
export type SentCounts = {
  rows: number
  unjudged: number
  unchanged: number
  refused: number
  repaired: number
  equal: number
  different: number
  unfit: number
  unpublished: number
  laterEqual: number
  laterDifferent: number
}

/** Published values of one class in one tier: those that the schema admits, and those that it does not. */
export type KeyCounts = { rows: number; admittedRows: number; changedRows: number; unfitRows: number; unfitRepaired: number; unfitRefused: number }

/** A repair that is not what was published (`published`), or not what the model sent next (`later`), by the id of its row. */
export type Disagreement = { readonly id: string; readonly class: string; readonly tier: Tier; readonly codes: readonly string[]; readonly from: 'published' | 'later' }

/** What was measured on the recorded typing data. */
export type TypingMeasurement = {
  readonly sent: ReadonlyMap<Tier, ReadonlyMap<string, Readonly<SentCounts>>>
  readonly key: ReadonlyMap<Tier, ReadonlyMap<string, Readonly<KeyCounts>>>
  readonly disagreements: readonly Disagreement[]
  /** Published values that the schema admits and a tier changed or refused. */
  readonly changed: readonly { readonly id: string; readonly tier: Tier }[]
}

/** Puts every row through every tier. */
export function measureTypingData(rows: readonly TypingRow[]): TypingMeasurement {
  const judge = createRowJudge()
  const sent = new Map<Tier, Map<string, SentCounts>>(TIERS.map((tier) => [tier, new Map()]))
  const key = new Map<Tier, Map<string, KeyCounts>>(TIERS.map((tier) => [tier, new Map()]))
  const disagreements: Disagreement[] = []
  const changed: { id: string; tier: Tier }[] = []
  for (const tier of TIERS) {
    for (const row of rows) {
      if (row.kind === 'sent') {
        const outcome = judge.sent(row, tier)
        const counts = entryOf(sent.get(tier), row.class, noSent)
        counts.rows += 1
        if (outcome.kind !== 'repaired') {
          counts[outcome.kind] += 1
          continue
        }
        const { published, later, codes } = outcome
        counts.repaired += 1
        counts[published === 'none' ? 'unpublished' : published] += 1
        if (later !== 'none') counts[later === 'equal' ? 'laterEqual' : 'laterDifferent'] += 1
        if (published === 'different') disagreements.push({ id: row.id, class: row.class, tier, codes, from: 'published' })
        if (later === 'different') disagreements.push({ id: row.id, class: row.class, tier, codes, from: 'later' })
        continue
      }
      const outcome = judge.key(row, tier)
      const counts = entryOf(key.get(tier), row.class, noKey)
      counts.rows += 1
      counts.admittedRows += outcome.admitted > 0 ? 1 : 0
      counts.changedRows += outcome.changed > 0 ? 1 : 0
      counts.unfitRows += outcome.repaired + outcome.refused > 0 ? 1 : 0
      counts.unfitRepaired += outcome.repaired
      counts.unfitRefused += outcome.refused
      if (outcome.changed > 0) changed.push({ id: row.id, tier })
    }
  }
  return { sent, key, disagreements, changed }
}

/** Whether a target is reached; `undefined` where there was nothing to judge it by. */
export type TypingDataTarget = { readonly name: string; readonly measured: string; readonly wanted: string; readonly isReached: boolean | undefined }

const LEAST_AGREEMENT = 0.9

/** The three targets: no right value is touched, strict and basic never contradict a key, flexible agrees in nine of ten. */
export function typingDataTargets({ sent, key }: TypingMeasurement): readonly TypingDataTarget[] {
  const untouched = TIERS.map((tier): TypingDataTarget => {
    const [admitted, changed] = [sum(key.get(tier), ({ admittedRows }) => admittedRows), sum(key.get(tier), ({ changedRows }) => changedRows)]
    return { name: `${tier}: right values changed`, measured: `${changed} of ${admitted}`, wanted: '0', isReached: admitted === 0 ? undefined : changed === 0 }
  })
  const agreed = TIERS.map((tier): TypingDataTarget => {
    const [equal, different] = [sum(sent.get(tier), (counts) => counts.equal), sum(sent.get(tier), (counts) => counts.different)]
    const judged = equal + different
    const isReached = tier === 'flexible' ? equal >= LEAST_AGREEMENT * judged : different === 0
    const measured = tier === 'flexible' ? `${equal} of ${judged} agree` : `${different} of ${judged} differ`
    return { name: `${tier}: repairs beside a published value`, measured, wanted: tier === 'flexible' ? 'at least 9 in 10' : '0', isReached: judged === 0 ? undefined : isReached }
  })
  return [...untouched, ...agreed]
}

/** The sum of a count over all classes. */
export function sum<C>(classes: ReadonlyMap<string, C> | undefined, of: (counts: C) => number): number {
  return [...(classes?.values() ?? [])].reduce((total, counts) => total + of(counts), 0)
}

function entryOf<C>(classes: Map<string, C> | undefined, name: string, none: () => C): C {
  const known = classes?.get(name) ?? none()
  classes?.set(name, known)
  return known
}

function noSent(): SentCounts {
  return { rows: 0, unjudged: 0, unchanged: 0, refused: 0, repaired: 0, equal: 0, different: 0, unfit: 0, unpublished: 0, laterEqual: 0, laterDifferent: 0 }
}

function noKey(): KeyCounts {
  return { rows: 0, admittedRows: 0, changedRows: 0, unfitRows: 0, unfitRepaired: 0, unfitRefused: 0 }
}
