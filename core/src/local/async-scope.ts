import { AsyncLocalStorage } from 'node:async_hooks'
import type { CallScope } from '../ports/call-scope.ts'

/** Follows a call through awaits and timers, with Node's asynchronous context. */
export function asyncScope(): CallScope {
  const storage = new AsyncLocalStorage<object>()
  return { run: (call, body) => storage.run(call, body), current: () => storage.getStore() }
}
