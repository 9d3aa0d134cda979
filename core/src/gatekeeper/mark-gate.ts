import { markable } from '../gates/compile-gates.ts'
import { CallgateError } from '../model/callgate-error.ts'
import type { Ticket } from './call-journal.ts'
import { durabilityOf } from './run-call.ts'
import type { SessionState } from './session-state.ts'

/** Marks a gate for the host's own code: with the call that runs the code, once that succeeds, or else at once. */
export async function markGate({ env, scope, journal, entries }: SessionState, gate: string, detail: object = {}): Promise<void> {
  const name = markable(gate, 'mark')
  if (Object.keys(detail).length > 0) {
    throw new CallgateError('unsupported', `mark: keys and facts are not built yet, and without them the gate "${name}" would open for every key. Nothing was marked.`)
  }
  const current = env.scope?.current()
  if (current !== undefined && journal.isInFlight(current)) return void (current as Ticket).ownMarks.add(name)
  if (env.scope === undefined && !journal.isIdle) {
    throw new CallgateError('invalid_call', `mark: calls are in flight, and without a scope port it cannot be told which one marks "${name}". Use the mark that run is given.`)
  }
  const deliver = journal.marking([name])
  await env.store.marks.add(scope, [{ gate: name, at: env.clock.now() }], durabilityOf(env, [name]))
  await env.store.record.append([entries.mark('', name)], 'soon')
  deliver()
}
