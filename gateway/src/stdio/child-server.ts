import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { Socket } from 'node:net'
import { constants } from 'node:os'
import { PassThrough } from 'node:stream'
import type { Readable, Writable } from 'node:stream'
import type { RawId } from '../wire/raw-id.ts'

/** How a server ended: by itself with a code or a signal, without ever having started, or, where it is remote, since it knows nothing of us any more. */
export type ServerEnd =
  | { readonly kind: 'exited'; readonly code: number; readonly signal?: NodeJS.Signals }
  | { readonly kind: 'not started'; readonly why: string }
  | { readonly kind: 'lost'; readonly why: string }

/** A server as a child process, in a process group of its own where the platform has such. */
export type ChildServer = {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  /** Resolves when the process is gone; what it wrote may still be in the pipe. */
  readonly ended: Promise<ServerEnd>
  /** Sends a signal to the whole group; nothing happens where nobody is left. */
  kill(signal: NodeJS.Signals): void
  /** Whether any process of the group is left, the server or one that it started. */
  isAlive(): boolean
  /** Calls `act` once the server has taken no byte of its input for `ms`; the returned function stops the watch. */
  whenStuck(ms: number, act: () => void): () => void
  /** Hands over who is told that one request gets no answer; absent where that happens at the server's end only. */
  attach?(relay: { answerLost(id: RawId, why: string): void }): void
}

/** What to start: a program with its arguments, no shell; `CALLGATE_*` is taken out of the environment (contract 12). */
export type ServerCommand = {
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
}

const OWN_VARIABLE = /^callgate_/i
const HAS_GROUPS = process.platform !== 'win32'

/** Starts a server. Never throws: one that cannot be started has ended as such. */
export function startServer({ command, env, cwd }: ServerCommand): ChildServer {
  const [program, ...args] = command
  if (program === undefined || program === '') return neverStarted('no program was named')
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => !OWN_VARIABLE.test(name)))
  try {
    const child = spawn(program, args, {
      env: kept,
      // A stderr that the server inherited would share its flags with ours, and be made blocking for both.
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: HAS_GROUPS,
      windowsHide: true,
      ...(cwd !== undefined && { cwd }),
    })
    const { stdin, stdout, stderr } = child
    return {
      stdin,
      stdout,
      stderr,
      ended: endOf(child, program),
      kill: (signal) => killGroup(child, signal),
      isAlive: () => isGroupAlive(child),
      whenStuck: (ms, act) => watchInput(stdin, ms, act),
    }
  } catch (error) {
    return neverStarted(error instanceof Error ? error.message : String(error))
  }
}

/** The exit code that a shell would report: 128 and the signal's number for a process that a signal ended; 2 where none started, 1 where a remote one was lost. */
export function exitCodeOf(end: ServerEnd): number {
  if (end.kind === 'lost') return 1
  return end.kind === 'exited' ? end.code : 2
}

function neverStarted(why: string): ChildServer {
  const stdout = new PassThrough()
  const stderr = new PassThrough()
  stdout.end()
  stderr.end()
  return {
    stdin: new PassThrough(),
    stdout,
    stderr,
    ended: Promise.resolve({ kind: 'not started', why }),
    kill: () => undefined,
    isAlive: () => false,
    whenStuck: () => () => undefined,
  }
}

/** A socket's own timeout knows of the bytes that the system took of a write not yet done. */
function watchInput(stdin: Writable, ms: number, act: () => void): () => void {
  if (!(stdin instanceof Socket)) return () => undefined
  stdin.setTimeout(ms, act)
  return () => void stdin.setTimeout(0, act)
}

function endOf(child: ChildProcess, program: string): Promise<ServerEnd> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      if (signal === null) return resolve({ kind: 'exited', code: code ?? 0 })
      resolve({ kind: 'exited', code: 128 + constants.signals[signal], signal })
    })
    // Without a pid nothing was started; with one the error is about a signal that could not be sent.
    child.on('error', (error: NodeJS.ErrnoException) => {
      if (child.pid === undefined) resolve({ kind: 'not started', why: startFailure(error, program) })
    })
  })
}

function startFailure(error: NodeJS.ErrnoException, program: string): string {
  if (error.code === 'ENOENT') return `there is no program ${JSON.stringify(program)}, or its folder is missing`
  if (error.code === 'EACCES') return `${JSON.stringify(program)} may not be run`
  return error.message
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    if (HAS_GROUPS) process.kill(-child.pid, signal)
    else child.kill(signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') child.kill(signal)
  }
}

function isGroupAlive(child: ChildProcess): boolean {
  if (child.pid === undefined) return false
  if (!HAS_GROUPS) return child.exitCode === null && child.signalCode === null
  try {
    process.kill(-child.pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
