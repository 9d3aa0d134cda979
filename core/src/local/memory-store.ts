import { CallgateError } from '../model/callgate-error.ts'
import type { ApproverStore, ApproverToken, Store } from '../ports/store.ts'
import { createMemoryHolds } from './memory-holds.ts'
import { createMemoryMarks } from './memory-marks.ts'
import { createMemoryRecord } from './memory-record.ts'

/** Bounds of a memory store. */
export type MemoryStoreOptions = {
  /** How many entries the record keeps; the oldest are dropped. Default 100,000. */
  readonly maxEntries?: number
  /** How many holds that ended are kept; the oldest are dropped. Default 10,000. */
  readonly maxEndedHolds?: number
  /** How many sessions may have marks or charges; more are refused with `store_unavailable`, since what is forgotten could open a gate. Default 100,000. */
  readonly maxSessions?: number
  /** How many marks, and how many charges, one session may have; more are refused likewise. Default 100,000. */
  readonly maxMarks?: number
}

/** A store that lives and dies with the process; every method is atomic because none of them waits. */
export function memoryStore(options: MemoryStoreOptions = {}): Store {
  let isClosed = false
  const assertOpen = (): void => {
    if (isClosed) throw new CallgateError('store_unavailable', 'The store in memory is closed. Open another one.')
  }
  const record = createMemoryRecord(assertOpen, options.maxEntries ?? 100_000)
  const { prepareClaim, ...marks } = createMemoryMarks(assertOpen, record, { maxSessions: options.maxSessions ?? 100_000, maxRows: options.maxMarks ?? 100_000 })
  return {
    marks,
    holds: createMemoryHolds({ assertOpen, record, prepareClaim }, options.maxEndedHolds ?? 10_000),
    record: { append: record.append, flush: record.flush, read: record.read, head: record.head },
    approvers: createMemoryApprovers(assertOpen),
    async close() {
      isClosed = true
      record.settle()
    },
  }
}

function createMemoryApprovers(assertOpen: () => void): ApproverStore {
  const tokens = new Map<string, ApproverToken>()
  return {
    async add(token) {
      assertOpen()
      const isKnown = [...tokens.values()].some(({ id, tokenHash }) => id === token.id || tokenHash === token.tokenHash)
      if (isKnown) throw new CallgateError('store_invalid', `The approver's token ${JSON.stringify(token.id)} is there already. Make a new one.`)
      tokens.set(token.id, { ...token, roles: [...token.roles] })
    },
    async findByHash(tokenHash) {
      assertOpen()
      return [...tokens.values()].find((token) => token.tokenHash === tokenHash && token.revokedAt === undefined)
    },
    async list() {
      assertOpen()
      return [...tokens.values()]
    },
    async revoke(id, at) {
      assertOpen()
      const token = tokens.get(id)
      if (token === undefined || token.revokedAt !== undefined) return false
      tokens.set(id, { ...token, revokedAt: at })
      return true
    },
  }
}
