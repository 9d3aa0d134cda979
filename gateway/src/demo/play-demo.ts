import { execFile } from 'node:child_process'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CallgateError, createApproverToken } from '@callgate/core'
import type { Store } from '@callgate/core'
import { systemClock, systemRandom } from '@callgate/core/local'
import { createDecisionReader } from './decision-reader.ts'
import type { DemoCall } from './decision-reader.ts'
import { CALLGATE_BIN, connectDemoClient } from './demo-client.ts'
import type { DemoResult } from './demo-client.ts'
import type { DemoFolder } from './demo-folder.ts'
import { DEMO_STEPS } from './demo-steps.ts'
import type { DemoStep } from './demo-steps.ts'

const HOLD_MS = '300'
const APPROVE_TIMEOUT_MS = 20_000
const APPROVER = 'Demo approver'

/** What the demo tells as it goes: a call and what the model read of it, or the yes of a second process. */
export type DemoTeller = {
  call(call: DemoCall, step: DemoStep, result: DemoResult): void
  approved(hold: string, approver: string): void
}

/** What the demo's calls came to: the record's decisions, and where they or the world differ from what was expected. */
export type Played = { readonly calls: readonly DemoCall[]; readonly differences: readonly string[] }

/** Plays the calls against a real server behind `callgate run`. Rejects where something does not start or answer, or `signal` aborts. */
export async function playDemo(
  folder: DemoFolder,
  store: Store,
  server: string,
  tell: DemoTeller,
  signal: AbortSignal,
): Promise<Played> {
  const env = { XDG_STATE_HOME: folder.state }
  const ports = { store, clock: systemClock(), random: systemRandom() }
  const { token } = await createApproverToken(ports, { name: APPROVER, roles: [] })
  const decisions = createDecisionReader(store.record)
  const calls: DemoCall[] = []
  const differences: string[] = []
  const client = await connectDemoClient(
    ['run', '--gates', folder.gates, '--hold-ms', HOLD_MS, '--', process.execPath, server, folder.files],
    env,
  )
  const leave = (): void => void client.close()
  signal.addEventListener('abort', leave)
  try {
    for (const [index, step] of DEMO_STEPS.entries()) {
      signal.throwIfAborted()
      if (step.before === 'put back') renameSync(join(folder.files, 'archive', 'notes.txt'), join(folder.files, 'notes.txt'))
      if (step.before === 'approve') {
        const hold = calls.at(-1)?.hold ?? ''
        await approve(hold, folder, token)
        tell.approved(hold, APPROVER)
      }
      const result = await client.call(step.tool, step.args)
      const made = await decisions.next()
      for (const call of made) tell.call(call, step, result)
      calls.push(...made)
      differences.push(
        ...differencesOf(step, made, result, folder.files).map((what) => `call ${index + 1}, ${step.tool}: ${what}`),
      )
    }
  } finally {
    signal.removeEventListener('abort', leave)
    await client.close()
  }
  return { calls, differences }
}

function differencesOf(step: DemoStep, made: readonly DemoCall[], result: DemoResult, files: string): readonly string[] {
  const [call] = made
  if (call === undefined || made.length > 1) return [`the record holds ${made.length} decisions for it, not one`]
  const verdict =
    call.verdict === step.expect ? [] : [`${call.verdict}, not ${step.expect} (the model read: ${JSON.stringify(result.text)})`]
  const world = step.check(files, result, call)
  return [...verdict, ...(world === undefined ? [] : [world])]
}

/** The yes comes from a process of its own, through the store, as a person's would. */
async function approve(hold: string, folder: DemoFolder, token: string): Promise<void> {
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, XDG_STATE_HOME: folder.state, CALLGATE_APPROVER_TOKEN: token }
  try {
    const args = [CALLGATE_BIN, 'holds', 'approve', hold, '--gates', folder.gates]
    await promisify(execFile)(process.execPath, args, { env, timeout: APPROVE_TIMEOUT_MS })
  } catch (cause) {
    throw new CallgateError('server_failed', `callgate holds approve failed: ${(cause as Error).message}`, { cause })
  }
}
