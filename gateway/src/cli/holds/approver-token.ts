import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { CallgateError } from '@callgate/core'
import type { Surroundings } from '../surroundings.ts'

const VARIABLE = 'CALLGATE_APPROVER_TOKEN'

/**
 * The approver's token, from `CALLGATE_APPROVER_TOKEN` or asked for on the terminal without echo; never an argument,
 * which other users could read. Throws `unknown_approver` where there is neither.
 */
export async function readApproverToken({ env, stdin, stderr }: Surroundings): Promise<string> {
  const given = env[VARIABLE]?.trim() ?? ''
  if (given !== '') return given
  if (stdin.isTTY !== true || stderr.isTTY !== true) {
    throw new CallgateError(
      'unknown_approver',
      `An answer needs an approver's token: set ${VARIABLE}, or run this on a terminal to be asked for it.`,
    )
  }
  const typed = (await askHidden("Approver's token: ", { stdin, stderr })).trim()
  if (typed === '') throw new CallgateError('unknown_approver', "No approver's token was given. callgate token create makes one.")
  return typed
}

async function askHidden(prompt: string, { stdin, stderr }: Pick<Surroundings, 'stdin' | 'stderr'>): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: silent, terminal: true, historySize: 0 })
  stderr.write(prompt)
  try {
    return await new Promise((resolve) => {
      lines.once('line', resolve)
      lines.once('SIGINT', () => resolve(''))
      lines.once('close', () => resolve(''))
    })
  } finally {
    lines.close()
    stderr.write('\n')
  }
}
