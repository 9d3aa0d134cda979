import { answerHold, createApproverToken } from '@callgate/core'
import type { Hold } from '@callgate/core'
import type { LocalPorts } from '@callgate/core/local'

/** Says yes to a hold as a person with a token of their own does. */
export async function approve(ports: LocalPorts, holdId: string): Promise<Hold> {
  const { token } = await createApproverToken(ports, { name: 'Ann', roles: [] })
  return answerHold(ports, { holdId, verdict: 'approve', token })
}
