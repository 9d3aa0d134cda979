import { CallgateError } from '../model/callgate-error.ts'
import type { SessionScope } from '../ports/store.ts'
import type { LiveSession, Session } from './session.ts'

const MAX_IDLE = 10_000

/** Hands out one object a session, so that two handles of it see each other's calls. */
export type SessionBook = { get(scope: SessionScope, requester?: string): Session }

/** Makes the book; past 10,000 sessions the one not asked for the longest is forgotten, unless a call of it is in flight. */
export function createSessionBook(make: (scope: SessionScope, requester?: string) => LiveSession): SessionBook {
  const sessions = new Map<string, LiveSession & { readonly requester: string | undefined }>()
  return {
    get(scope, requester) {
      const key = JSON.stringify([scope.principal, scope.session])
      const live = sessions.get(key) ?? openLive(make(scope, requester), requester)
      if (live.requester !== requester) {
        throw new CallgateError('invalid_option', `The session ${JSON.stringify(scope.session)} is in use with another requester. A session has one.`)
      }
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

/** Read when it is asked for: whether a session is idle changes. */
function openLive(live: LiveSession, requester: string | undefined): LiveSession & { readonly requester: string | undefined } {
  return {
    session: live.session,
    requester,
    get isIdle() {
      return live.isIdle
    },
  }
}
