import type { Hold, HoldAnswer, HoldAsk } from './hold.ts'

/** Whether two names are one person's: compatibility forms (NFKC), letter case and outer white space do not count. */
export function isSamePerson(one: string, other: string): boolean {
  return nameOf(one) === nameOf(other)
}

/** Who asked for the call, where a rule excludes them (contract 10: `notBy`). */
export function requesterOf(hold: Pick<Hold, 'principal' | 'requester'>): string {
  return hold.requester ?? hold.principal
}

/** Why a person's answer counts for none of what is asked, or undefined where it counts. */
export function faultOfVoter(hold: Hold, given: HoldAnswer): string | undefined {
  const faults = asksOf(hold).map((ask) => faultFor(hold, ask, given))
  if (faults.length === 0 || faults.includes(undefined)) return undefined
  return [...new Set(faults)].join('; ')
}

/** True where each of what is asked has as many different people's yes as it needs. */
export function isSatisfied(hold: Hold, yeses: readonly HoldAnswer[]): boolean {
  return asksOf(hold).every((ask) => {
    const people = new Set(yeses.filter((yes) => faultFor(hold, ask, yes) === undefined).map(({ approver }) => nameOf(approver)))
    return people.size >= Math.max(1, ask.quorum)
  })
}

function asksOf(hold: Hold): readonly HoldAsk[] {
  return hold.asks ?? []
}

function faultFor(hold: Hold, { approvers, notBy }: HoldAsk, given: HoldAnswer): string | undefined {
  const roles = given.roles ?? []
  if (approvers?.every((role) => !roles.includes(role))) return `not one of the approvers: ${approvers.join(', ')}`
  return notBy === 'requester' && isSamePerson(given.approver, requesterOf(hold)) ? 'whoever asks may not answer' : undefined
}

function nameOf(person: string): string {
  return person.normalize('NFKC').trim().toUpperCase().toLowerCase().normalize('NFKC')
}
