import type { Hold } from '../holds/hold.ts'
import type { JsonObject } from '../model/json-value.ts'
import type { Stage } from './certify-harness.ts'

const PAUSES_FOR_A_HOLD = 500
const PAUSES_FOR_AN_ANSWER = 1_000
// What an adapter does on its own, late, is done by then.
const PAUSES_TO_SETTLE = 60

/** A call that is under way. */
export type StartedCall = {
  isAnswered(): boolean
  /** What the model reads; undefined where nothing came in 1,000 pauses. Rejects where the harness fails. */
  answer(): Promise<string | undefined>
}

/** Starts a call and waits for nothing. */
export function startCall(stage: Stage, tool: string, args: JsonObject): StartedCall {
  let isAnswered = false
  const call = stage.call(tool, args)
  const end = (): void => {
    isAnswered = true
  }
  call.then(end, end)
  return {
    isAnswered: () => isAnswered,
    async answer() {
      for (let pauses = 0; pauses < PAUSES_FOR_AN_ANSWER && !isAnswered; pauses += 1) await stage.pause()
      return isAnswered ? call : undefined
    },
  }
}

/** Lets 60 pauses pass, in which an adapter may do what it should not. */
export async function settle(stage: Stage): Promise<void> {
  for (let pauses = 0; pauses < PAUSES_TO_SETTLE; pauses += 1) await stage.pause()
}

/** The hold that waits for a person, once there is one; undefined where none came in 500 pauses. */
export async function pendingHold(stage: Stage): Promise<Hold | undefined> {
  for (let pauses = 0; pauses < PAUSES_FOR_A_HOLD; pauses += 1) {
    const [hold] = await stage.store.holds.list({ statuses: ['pending'], limit: 1 })
    if (hold !== undefined) return hold
    await stage.pause()
  }
  return undefined
}

/** Answers the hold that waits, as a person would through the store. */
export async function answerPending(stage: Stage, verdict: 'approve' | 'deny'): Promise<void> {
  const hold = await pendingHold(stage)
  if (hold === undefined) return
  await stage.store.holds.apply(hold.id, { kind: 'answer', answer: { verdict, approver: 'certify', at: hold.createdAt } })
}
