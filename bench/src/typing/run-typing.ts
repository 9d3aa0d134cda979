import { measureAdmissions, measureDigests } from './measure-admissions.ts'
import { ours } from './ours.ts'
import { PEERS } from './peers.ts'
import { TIERS } from './tiers.ts'
import { formatTypingReport } from './typing-report.ts'

/** Measures one admission beside what a user would pick instead, and returns the tables; says on `progress` what it is at. */
export function runTyping(progress: (text: string) => void): string {
  const entrants = [...TIERS.map(ours), ...PEERS]
  const admissions = { valid: measureAdmissions(entrants, 'valid', progress), repairable: measureAdmissions(entrants, 'repairable', progress) }
  return formatTypingReport({ admissions, digests: measureDigests() })
}
