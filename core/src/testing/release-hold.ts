import type { Hold } from '../holds/hold.ts'
import type { Stage } from './certify-harness.ts'

const MAX_PAUSES = 500

/** The hold that waits for a person, once there is one; undefined where none came in 500 pauses. */
export async function pendingHold(stage: Stage): Promise<Hold | undefined> {
  for (let pauses = 0; pauses < MAX_PAUSES; pauses += 1) {
    const [hold] = await stage.store.holds.list({ statuses: ['pending'], limit: 1 })
    if (hold !== undefined) return hold
    await stage.pause()
  }
  return undefined
}

/** Says yes to the hold that waits, as a person would through the store. */
export async function approvePending(stage: Stage): Promise<void> {
  const hold = await pendingHold(stage)
  if (hold === undefined) return
  await stage.store.holds.apply(hold.id, { kind: 'answer', answer: { verdict: 'approve', approver: 'certify', at: hold.createdAt } })
}
