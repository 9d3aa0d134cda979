import { formatTable } from '../../report.ts'
import { TIERS } from '../../typing/tiers.ts'
import type { Tier } from '../../typing/tiers.ts'
import { typingDataTargets } from './measure-typing-data.ts'
import type { Disagreement, KeyCounts, SentCounts, TypingMeasurement } from './measure-typing-data.ts'

const SENT_HEAD = ['class', 'rows', 'unjudged', 'valid', 'refused', 'repaired', 'equal', 'differ', 'unfit key', 'no key', 'next equal', 'next differ']
const KEY_HEAD = ['class', 'rows', 'admitted', ...TIERS.map((tier) => `changed: ${tier}`), 'unfit', ...TIERS.map((tier) => `repaired: ${tier}`)]

/** The figures as Markdown: a table a tier, the must-not-change set, the targets, and each repair that disagrees, by the id of its row. */
export function formatTypingData(measurement: TypingMeasurement): string {
  const { sent, key, disagreements, changed } = measurement
  const targets = typingDataTargets(measurement).map(({ name, measured, wanted, isReached }) =>
    [name, measured, wanted, isReached === undefined ? 'nothing to judge' : isReached ? 'yes' : 'no'])
  return `${[
    ...TIERS.flatMap((tier) => [`### Arguments as sent, ${tier}`, sentTable(sent.get(tier) ?? new Map())]),
    '### Published right values',
    keyTable(key),
    ...(changed.length === 0 ? [] : [`Changed: ${changed.map(({ id, tier }) => `${id} (${tier})`).join(', ')}.`]),
    '### Targets',
    formatTable(['target', 'measured', 'wanted', 'reached'], targets),
    '### Repairs that disagree',
    listed(disagreements, 'published', 'With a published value'),
    listed(disagreements, 'later', 'With what the same model sent next'),
  ].join('\n\n')}\n`
}

function sentTable(classes: ReadonlyMap<string, Readonly<SentCounts>>): string {
  const row = (name: string, all: readonly Readonly<SentCounts>[]): readonly string[] => {
    const total = (of: keyof SentCounts): string => String(all.reduce((sum, counts) => sum + counts[of], 0))
    return [name, ...(['rows', 'unjudged', 'unchanged', 'refused', 'repaired', 'equal', 'different', 'unfit', 'unpublished', 'laterEqual', 'laterDifferent'] as const).map(total)]
  }
  const names = [...classes.keys()].toSorted()
  return formatTable(SENT_HEAD, [...names.map((name) => row(name, [classes.get(name)].filter((one) => one !== undefined))), row('all', [...classes.values()])])
}

function keyTable(key: TypingMeasurement['key']): string {
  const names = [...(key.get('strict')?.keys() ?? [])].toSorted()
  const total = (chosen: readonly string[], tier: Tier, of: keyof KeyCounts): string =>
    String(chosen.reduce((sum, name) => sum + (key.get(tier)?.get(name)?.[of] ?? 0), 0))
  const row = (label: string, chosen: readonly string[]): readonly string[] => [
    label, total(chosen, 'strict', 'rows'), total(chosen, 'strict', 'admittedRows'), ...TIERS.map((tier) => total(chosen, tier, 'changedRows')),
    total(chosen, 'strict', 'unfitRows'), ...TIERS.map((tier) => total(chosen, tier, 'unfitRepaired')),
  ]
  return formatTable(KEY_HEAD, [...names.map((name) => row(name, [name])), row('all', names)])
}

function listed(all: readonly Disagreement[], from: Disagreement['from'], title: string): string {
  const chosen = all.filter((one) => one.from === from)
  const ids = [...new Set(chosen.map(({ id }) => id))]
  if (ids.length === 0) return `${title}: none.`
  const lines = ids.map((id) => {
    const ones = chosen.filter((one) => one.id === id)
    const codes = [...new Set(ones.flatMap((one) => one.codes))].join(', ')
    return `- \`${id}\`, ${ones[0]?.class}: ${codes} (${ones.map(({ tier }) => tier).join(', ')})`
  })
  return `${title}:\n\n${lines.join('\n')}`
}
