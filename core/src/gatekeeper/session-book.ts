import type { SessionScope } from '../ports/store.ts'
import type { LiveSession, Session } from './session.ts'

const MAX_IDLE = 10_000

/** Hands out one object a session, so that two handles of it see each other's calls. */
export type SessionBook = { get(scope: SessionScope): Session }

/** Makes the book; past 10,000 sessions the one not asked for the longest is forgotten, unless a call of it is in flight. */
export function createSessionBook(make: (scope: SessionScope) => LiveSession): SessionBook {
  const sessions = new Map<string, LiveSession>()
  return {
    get(scope) {
      const key = JSON.stringify([scope.principal, scope.session])
      const live = sessions.get(key) ?? make(scope)
      sessions.delete(key)
      sessions.set(key, live)
      if (sessions.size > MAX_IDLE) {
        for (const [oldest, { isIdle }] of sessions) {
          if (!isIdle) continue
          sessions.delete(oldest)
          break
        }
      }
      return live.session
    },
  }
}
