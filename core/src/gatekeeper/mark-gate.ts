import type { MarkDetail } from '../gates/host-marks.ts'
import { hostMarks } from '../gates/host-marks.ts'
import type { Mark } from '../gates/ledger.ts'
import { readUserMarks } from '../gates/read-marks.ts'
import { CallgateError } from '../model/callgate-error.ts'
import type { Durability } from '../ports/store.ts'
import type { Ticket } from './call-journal.ts'
import type { MarkSource } from './entries.ts'
import type { Environment } from './environment.ts'
import type { SessionState } from './session-state.ts'

/** Marks a gate for the host's own code: with the call that runs the code, once that succeeds, or else at once. */
export async function markGate(state: SessionState, gate: string, detail: MarkDetail = {}): Promise<void> {
  const { env, journal } = state
  const marks = hostMarks(gate, detail, env.clock.now())
  const current = env.scope?.current()
  if (current !== undefined && journal.isInFlight(current)) return void (current as Ticket).ownMarks.push({ gate, detail })
  if (env.scope === undefined && !journal.isIdle) {
    throw new CallgateError('invalid_call', `mark: calls are in flight, and without a scope port it cannot be told which one marks "${gate}". Use the mark that run is given.`)
  }
  const deliver = await writeMarks(state, { callId: '' }, marks, [])
  deliver()
}

/** Marks what the user's own words mark (contract 9): at once, for the calls that come in after it. */
export async function markSaid(state: SessionState, text: string): Promise<void> {
  if (typeof text !== 'string') throw new CallgateError('invalid_call', 'said: what the user wrote is text.')
  const { env } = state
  if (!env.gates.readsUserText) return
  const { marks, problems } = readUserMarks(env.gates, text.toWellFormed(), env.clock.now())
  for (const problem of problems) env.warn(problem)
  const deliver = await writeMarks(state, { callId: '' }, marks, problems)
  deliver()
}

/** Writes marks and their entries; the returned function makes them count for the calls that come in after it. */
export async function writeMarks(
  { env, journal, scope, entries }: SessionState,
  from: MarkSource,
  marks: readonly Mark[],
  problems: readonly string[],
): Promise<() => void> {
  if (marks.length === 0 && problems.length === 0) return () => undefined
  const deliver = journal.marking(marks)
  let replaced: readonly Mark[] = []
  try {
    if (marks.length > 0) replaced = await env.store.marks.add(scope, marks, durabilityOf(env, marks))
    await env.store.record.append(entries.marks(from, marks, problems), 'soon')
  } catch (error) {
    deliver(replaced)
    throw error
  }
  return () => deliver(replaced)
}

/** A lost mark closes its gate, but one that a rule has as its condition would open another. */
function durabilityOf(env: Environment, marks: readonly Mark[]): Durability {
  return marks.some(({ gate }) => env.gates.isCondition(gate)) ? 'now' : 'soon'
}
