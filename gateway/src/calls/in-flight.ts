import type { RawId } from '../wire/raw-id.ts'
import type { GatedCall } from './gated-call.ts'

/** A client's request that is no tool call: how often its id is in flight, and what it asks, where that is known of all. */
export type PlainRequest = {
  readonly kind: 'plain'
  readonly id: RawId
  readonly count: number
  readonly method: string
  readonly listing?: Listing
}

/** A `tools/list` of the client: the page it asks for. */
export type Listing = { readonly cursor?: string }

/** A request of the client that waits for its answer. */
export type Pending = PlainRequest | { readonly kind: 'call'; readonly id: RawId; readonly call: GatedCall }

/** The client's requests that have no answer yet, by id. */
export type InFlight = {
  get(id: RawId): Pending | undefined
  addCall(call: GatedCall): void
  addPlain(id: RawId, method: string, listing?: Listing): void
  /** One answer has come for the id of a plain request, or none is wanted any more. */
  removePlain(id: RawId): void
  /** No answer will come for a plain request, however often its id is in flight. */
  forget(id: RawId): void
  /** Removes a call, unless its id is another's by now. */
  removeCall(call: GatedCall): void
  readonly all: readonly Pending[]
  readonly size: number
  /** Bytes of the calls' messages. */
  readonly callBytes: number
  /** Resolves when nothing is in flight but what never ends by itself. */
  idle(): Promise<void>
}

/** Requests whose answer is the end of a stream: nobody waits for it. */
const ENDLESS: ReadonlySet<string> = new Set(['subscriptions/listen'])

/** Makes an empty register; its user bounds it. */
export function createInFlight(): InFlight {
  const pending = new Map<string, Pending>()
  const idlers: (() => void)[] = []
  let callBytes = 0

  const isIdle = (): boolean => {
    for (const one of pending.values()) if (one.kind === 'call' ? !one.call.isCancelled : !ENDLESS.has(one.method)) return false
    return true
  }
  const release = (): void => {
    if (idlers.length === 0 || !isIdle()) return
    for (const resolve of idlers.splice(0)) resolve()
  }

  return {
    get: ({ key }) => pending.get(key),
    addCall(call) {
      pending.set(call.message.id.key, { kind: 'call', id: call.message.id, call })
      callBytes += call.message.line.length
    },
    addPlain(id, method, listing) {
      const before = pending.get(id.key)
      if (before === undefined)
        pending.set(id.key, { kind: 'plain', id, count: 1, method, ...(listing !== undefined && { listing }) })
      // Answers under one id cannot be told apart: what they answer is not known.
      else if (before.kind === 'plain') pending.set(id.key, { kind: 'plain', id, count: before.count + 1, method })
    },
    removePlain({ key }) {
      const before = pending.get(key)
      if (before?.kind !== 'plain') return
      if (before.count === 1) pending.delete(key)
      else pending.set(key, { kind: 'plain', id: before.id, count: before.count - 1, method: before.method })
      release()
    },
    forget({ key }) {
      if (pending.get(key)?.kind === 'plain') pending.delete(key)
      release()
    },
    removeCall(call) {
      const before = pending.get(call.message.id.key)
      if (before?.kind !== 'call' || before.call !== call) return
      pending.delete(call.message.id.key)
      callBytes -= call.message.line.length
      release()
    },
    get all() {
      return [...pending.values()]
    },
    get size() {
      return pending.size
    },
    get callBytes() {
      return callBytes
    },
    idle: () =>
      new Promise((resolve) => {
        idlers.push(resolve)
        release()
      }),
  }
}
