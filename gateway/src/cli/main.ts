import { CommanderError } from 'commander'
import { createProgram } from './program.ts'
import { systemSurroundings } from './surroundings.ts'
import type { Surroundings } from './surroundings.ts'

/**
 * Runs the command line and resolves with its exit code: 0 all is well, 1 it found what it looks for, 2 it could not run,
 * or could not say so. Never rejects; what went wrong is on stderr, and stdout carries nothing but the answer.
 */
export async function runCli(args: readonly string[], surroundings: Surroundings = systemSurroundings()): Promise<number> {
  const { stdout, stderr } = surroundings
  let unwritten: Error | undefined
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that has gone, as `head` does, is no fault of the command.
    if (error.code !== 'EPIPE') unwritten ??= error
  })
  // What cannot be said to a person changes nothing of what is done.
  stderr.on('error', () => undefined)
  const code = await settleCode(args, surroundings)
  // A stream says in the next turn that it could not write.
  await new Promise((resolve) => setImmediate(resolve))
  if (unwritten === undefined) return code
  const { revealLines } = await import('./reveal.ts')
  stderr.write(`callgate: stdout could not be written: ${revealLines(unwritten.message)}\n`)
  return 2
}

async function settleCode(args: readonly string[], surroundings: Surroundings): Promise<number> {
  let code = 0
  try {
    const program = await createProgram(args, surroundings, (settled) => {
      code = settled
    })
    await program.parseAsync([...args], { from: 'user' })
    return code
  } catch (error) {
    // Commander has written its own message by now.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    surroundings.stderr.write(`callgate: ${await describe(error)}\n`)
    return 2
  }
}

async function describe(error: unknown): Promise<string> {
  // Loaded where something is wrong: a client waits for `run` to start.
  const [{ isCallgateError }, { revealLines }] = await Promise.all([import('@callgate/core'), import('./reveal.ts')])
  if (isCallgateError(error)) return revealLines(error.message)
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return `something unforeseen went wrong: ${revealLines(what)}`
}
