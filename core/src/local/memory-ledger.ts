import { settleClaim } from '../gates/claim.ts'
import type { ChargeRow, Claim, ClaimResult, LedgerRows, LedgerWrites, Mark, MarkQuery, Streak } from '../gates/ledger.ts'
import { CallgateError } from '../model/callgate-error.ts'
import { createMarkShelf } from './mark-shelf.ts'
import type { MarkShelf } from './mark-shelf.ts'

/** A claim that was met: what is left to do is to write it. */
export type PreparedClaim = { readonly kind: 'claimed'; write(): void } | Extract<ClaimResult, { readonly kind: 'short' }>

/** Marks, charges and the streak of one session. What throws has changed nothing but what had expired. */
export type MemoryLedger = {
  readonly isEmpty: boolean
  list(queries?: readonly MarkQuery[]): readonly Mark[]
  /** Returns the marks that were replaced. */
  add(marks: readonly Mark[]): readonly Mark[]
  prepareClaim(claim: Claim): PreparedClaim
}

/** An empty ledger with at most `maxRows` marks, and as many charges: one more is refused with `store_unavailable`. */
export function createMemoryLedger(maxRows: number): MemoryLedger {
  const marks = createMarkShelf()
  const charges = new Map<string, readonly ChargeRow[]>()
  let streak: Streak | undefined

  const rowsFor = ({ needs, clears, charges: wanted }: Claim): LedgerRows => {
    const needed = needs.map(({ gate, key }) => (key === undefined ? { gate } : { gate, keys: [key] }))
    const limits = [...new Set(wanted.map(({ limit }) => limit))]
    const found = { marks: marks.list([...needed, ...clears]), charges: limits.flatMap((limit) => charges.get(limit) ?? []) }
    return streak === undefined ? found : { ...found, streak }
  }
  const write = ({ put, remove, forget, charge, streak: next }: LedgerWrites): void => {
    for (const mark of put) marks.put(mark)
    for (const name of remove) marks.remove(name)
    for (const { limit, until } of forget) keep(charges, limit, (charges.get(limit) ?? []).filter(({ at }) => at > until))
    for (const row of charge) keep(charges, row.limit, [...(charges.get(row.limit) ?? []), row])
    streak = next ?? streak
  }

  return {
    get isEmpty() {
      return marks.size === 0 && charges.size === 0 && streak === undefined
    },
    list: marks.list,
    add(added) {
      const latest = [...new Map(added.map((mark) => [JSON.stringify([mark.gate, mark.key]), mark])).values()]
      makeRoom(marks, latest, maxRows)
      const replaced: Mark[] = []
      for (const mark of latest) {
        const before = marks.find(mark)
        if (before === undefined || before.fact !== mark.fact || !isAlive(before, mark.at)) streak = undefined
        if (before !== undefined) replaced.push(before)
        marks.put(mark)
      }
      return replaced
    },
    prepareClaim(claim) {
      const plan = settleClaim(rowsFor(claim), claim)
      if (plan.kind === 'short') return plan
      if (chargesAfter(charges, plan.writes, maxRows) > maxRows) throw tooMany('charges', maxRows)
      return { kind: 'claimed', write: () => write(plan.writes) }
    },
  }
}

/** Lets go of what had expired before it refuses. */
function makeRoom(marks: MarkShelf, added: readonly Mark[], maxRows: number): void {
  const [first] = added
  if (first === undefined || marks.size + added.length <= maxRows) return
  for (const mark of marks.list()) if (!isAlive(mark, first.at)) marks.remove(mark)
  if (marks.size + added.filter((mark) => marks.find(mark) === undefined).length > maxRows) throw tooMany('marks', maxRows)
}

function chargesAfter(charges: ReadonlyMap<string, readonly ChargeRow[]>, { charge, forget }: LedgerWrites, maxRows: number): number {
  const held = [...charges.values()].reduce((sum, rows) => sum + rows.length, 0) + charge.length
  if (held <= maxRows) return held
  const isKept = ({ limit, at }: ChargeRow): boolean => !forget.some((gone) => gone.limit === limit && at <= gone.until)
  return [...charges.values()].flat().filter(isKept).length + charge.length
}

function isAlive({ expiresAt, uses }: Mark, at: number): boolean {
  return (expiresAt === undefined || at < expiresAt) && uses !== 0
}

function keep(charges: Map<string, readonly ChargeRow[]>, limit: string, rows: readonly ChargeRow[]): void {
  if (rows.length === 0) charges.delete(limit)
  else charges.set(limit, rows)
}

function tooMany(what: string, max: number): CallgateError {
  return new CallgateError('store_unavailable', `The store in memory has ${max} ${what} of one session. Reset it, or use a store on disk.`)
}
