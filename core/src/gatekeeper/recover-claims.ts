import type { Environment } from './environment.ts'
import { endDue } from './end-hold.ts'

const PAGE = 100

/** Turns the claims whose process is gone, or whose lease is over, into unknown outcomes (contract 10); returns how many. */
export async function recoverClaims(env: Environment, isOwnerGone: (owner: string) => boolean): Promise<number> {
  let lost = 0
  let after: string | undefined
  for (;;) {
    const page = await env.store.holds.list({ statuses: ['claimed'], limit: PAGE, ...(after !== undefined && { after }) })
    for (const hold of page) if ((await endDue(env, hold, isOwnerGone)).status === 'unknown') lost += 1
    after = page.at(-1)?.id
    if (page.length < PAGE) return lost
  }
}
