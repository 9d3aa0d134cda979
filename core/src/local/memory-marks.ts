import { CallgateError } from '../model/callgate-error.ts'
import type { MarkStore, ScopedClaim, SessionScope } from '../ports/store.ts'
import { createMemoryLedger } from './memory-ledger.ts'
import type { MemoryLedger, PreparedClaim } from './memory-ledger.ts'
import type { MemoryRecord } from './memory-record.ts'

/** Marks in memory, and what else of the store takes a claim with its own step. */
export type MemoryMarks = MarkStore & {
  /** Settles a claim; nothing is changed until what it hands back is written, in the same turn of the event loop. */
  prepareClaim(take: ScopedClaim): PreparedClaim
}

/** Bounds: how many sessions have a ledger, and how many marks, and charges, one may have. */
export type MemoryMarksBounds = { readonly maxSessions: number; readonly maxRows: number }

/** Marks and charges by session; what goes beyond a bound is refused with `store_unavailable`. */
export function createMemoryMarks(assertOpen: () => void, record: MemoryRecord, { maxSessions, maxRows }: MemoryMarksBounds): MemoryMarks {
  const sessions = new Map<string, MemoryLedger>()
  const ledgerOf = (scope: SessionScope): MemoryLedger => sessions.get(keyOf(scope)) ?? createMemoryLedger(maxRows)
  const assertRoom = (scope: SessionScope): void => {
    if (!sessions.has(keyOf(scope)) && sessions.size >= maxSessions) throw tooManySessions(maxSessions)
  }
  const keep = (scope: SessionScope, ledger: MemoryLedger): void => {
    if (ledger.isEmpty) sessions.delete(keyOf(scope))
    else sessions.set(keyOf(scope), ledger)
  }
  const prepareClaim = ({ scope, claim }: ScopedClaim): PreparedClaim => {
    assertRoom(scope)
    const ledger = ledgerOf(scope)
    const prepared = ledger.prepareClaim(claim)
    if (prepared.kind === 'short') return prepared
    const write = (): void => {
      prepared.write()
      keep(scope, ledger)
    }
    return { kind: 'claimed', write }
  }

  return {
    prepareClaim,
    async list(scope, queries) {
      assertOpen()
      return ledgerOf(scope).list(queries)
    },
    async add(scope, marks) {
      assertOpen()
      assertRoom(scope)
      const ledger = ledgerOf(scope)
      const replaced = ledger.add(marks)
      keep(scope, ledger)
      return replaced
    },
    async claim(scope, claim, entries) {
      assertOpen()
      const prepared = prepareClaim({ scope, claim })
      if (prepared.kind === 'short') return prepared
      const commit = record.prepare(entries)
      prepared.write()
      commit()
      return { kind: 'claimed' }
    },
    async peek(scope, claim) {
      assertOpen()
      const prepared = prepareClaim({ scope, claim })
      return prepared.kind === 'short' ? prepared : { kind: 'claimed' }
    },
    async reset(scope) {
      assertOpen()
      sessions.delete(keyOf(scope))
    },
  }
}

function keyOf(scope: SessionScope): string {
  return JSON.stringify([scope.principal, scope.session])
}

function tooManySessions(max: number): CallgateError {
  return new CallgateError('store_unavailable', `The store in memory has marks or charges of ${max} sessions. Reset some, or use a store on disk.`)
}
