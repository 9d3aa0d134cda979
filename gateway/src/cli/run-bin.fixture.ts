import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const TIMEOUT_MS = 30_000

/** The built command line. */
export const BIN: string = fileURLToPath(new URL('../../bin/callgate.js', import.meta.url))

/** What a command printed, and its exit code. */
export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

/** Runs `callgate` as a process of its own in `folder`, which is its home too; stdin is `input`, then closed. */
export async function runBin(args: readonly string[], folder: string, env: NodeJS.ProcessEnv = {}, input = ''): Promise<Ended> {
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, ...env },
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const texts = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (texts.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (texts.stderr += text))
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  return await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, ...texts }))
  })
}
