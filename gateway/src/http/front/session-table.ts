import type { Random } from '@callgate/core'
import type { ClientSession } from './client-session.ts'

/** All connections of a gateway that listens: by session id, and one for each client that uses none. */
export type SessionTable = {
  /** Begins a session for a principal, of that name in the store where it has one; undefined where there are too many. */
  begin(principal: string, name?: string): { readonly id: string; readonly session: ClientSession } | undefined
  /** The session of that id, for the principal, and under the name, that it was begun with. */
  find(id: string, principal: string, name?: string): ClientSession | undefined
  /** The connection of a principal that uses no session, one for each name; undefined where there are too many. */
  shared(principal: string, name?: string): ClientSession | undefined
  /** Ends a session; false where the principal has none of that id. */
  end(id: string, principal: string): boolean
  /** Ends all, and resolves when all have ended. */
  close(): Promise<void>
}

/** What a table is made with; times are milliseconds. */
export type TableTerms = {
  readonly most: number
  readonly idleMs: number
  readonly random: Random
  now(): number
  /** Opens a connection: the name of its session in the store, and whether one client has it for itself. */
  open(principal: string, session: string, isOwn: boolean): ClientSession
}

type Entry = { readonly principal: string; readonly name: string | undefined; readonly session: ClientSession }

/** Makes an empty table; sessions that nobody uses for `idleMs` are ended. */
export function createSessionTable({ most, idleMs, random, now, open }: TableTerms): SessionTable {
  const entries = new Map<string, Entry>()
  const living = new Set<ClientSession>()
  // Clients without a session of the protocol share one of the store for as long as the gateway runs, each with its principal.
  const common = random.id()
  const sweep = setInterval(() => {
    for (const [key, { session }] of entries) if (now() - (session.idleSince ?? now()) >= idleMs) retire(key)
  }, Math.min(Math.max(idleMs / 4, 10), 30_000))
  sweep.unref()

  const add = (key: string, principal: string, name: string | undefined, session: ClientSession): ClientSession => {
    const entry = { principal, name, session }
    entries.set(key, entry)
    living.add(session)
    const forget = (): void => {
      living.delete(session)
      if (entries.get(key) === entry) entries.delete(key)
    }
    session.ended.then(forget, forget)
    return session
  }
  const retire = (key: string): void => {
    entries.get(key)?.session.close()
    entries.delete(key)
  }

  return {
    begin(principal, name) {
      if (living.size >= most) return undefined
      const id = random.id()
      return { id, session: add(`id ${id}`, principal, name, open(principal, name ?? id, true)) }
    },
    find(id, principal, name) {
      const entry = entries.get(`id ${id}`)
      return entry?.principal === principal && entry.name === name ? entry.session : undefined
    },
    shared(principal, name) {
      const key = `of ${JSON.stringify([principal, name ?? null])}`
      const entry = entries.get(key)
      if (entry !== undefined || living.size >= most) return entry?.session
      return add(key, principal, name, open(principal, name ?? common, false))
    },
    end(id, principal) {
      const isThere = entries.get(`id ${id}`)?.principal === principal
      if (isThere) retire(`id ${id}`)
      return isThere
    },
    async close() {
      clearInterval(sweep)
      for (const key of entries.keys()) retire(key)
      await Promise.allSettled([...living].map(({ ended }) => ended))
    },
  }
}
