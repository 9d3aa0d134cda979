import { spawn } from 'node:child_process'
import type { ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Route } from './routes.ts'

const STDERR_KEPT = 4_096
const ANSWER_MS = 30_000
const CLOSE_MS = 2_000

type Answer = { readonly id?: unknown; readonly result?: unknown; readonly error?: unknown }
type Waiting = { readonly resolve: (result: unknown) => void; readonly reject: (error: Error) => void }
type Child = ChildProcessByStdio<Writable, Readable, Readable>

/** A JSON-RPC client on lines that costs as little as it can. */
export type LineClient = {
  readonly pid: number
  /** Resolves with the result; rejects on an error, after 30 s without any answer, and when the process ends. */
  request(method: string, params: unknown): Promise<unknown>
  notify(method: string): void
  /** Closes the process's stdin and waits for its end, 2 s; then SIGTERM, 2 s; then SIGKILL. */
  close(): Promise<void>
}

/** Starts a route's program and speaks JSON-RPC lines with it. */
export function openLineClient({ name, command, env }: Route): LineClient {
  const [program = '', ...args] = command
  const child: Child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'pipe'] })
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  let lastStderr = ''
  const fail = (what: string): void => {
    const said = lastStderr.trim()
    const error = new Error(`${name}: ${what}${said === '' ? '' : `; it said: ${said}`}`)
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    lastStderr = (lastStderr + text).slice(-STDERR_KEPT)
  })
  child.stdin.on('error', (error) => fail(`its stdin broke (${error.message})`))
  child.on('error', (error) => fail(`it could not be started (${error.message})`))
  const ended = once(child, 'close').then(() => fail('it ended'), () => undefined)
  const watch = watchSilence(waiting, () => {
    fail(`no answer in ${ANSWER_MS} ms`)
    child.kill('SIGKILL')
  })
  readLines(child.stdout, (line) => {
    watch.heard()
    settle(line, waiting, fail)
  })
  return {
    pid: child.pid ?? 0,
    request(method, params) {
      if (child.exitCode !== null || child.signalCode !== null) return Promise.reject(new Error(`${name}: it has ended`))
      const id = ++lastId
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
      })
    },
    notify: (method) => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method })}\n`),
    async close() {
      watch.stop()
      child.stdin.end()
      for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
        if (await endsWithin(ended, CLOSE_MS)) return
        child.kill(signal)
      }
      await ended
    },
  }
}

/** Calls `onLine` with each line that the stream brings, without its end. */
function readLines(stream: Readable, onLine: (line: string) => void): void {
  let rest = ''
  stream.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) onLine(line)
  })
}

function settle(line: string, waiting: Map<number, Waiting>, fail: (what: string) => void): void {
  let answer: Answer
  try {
    answer = JSON.parse(line) as Answer
  } catch {
    return fail(`it wrote a line that is not JSON: ${line.slice(0, 200)}`)
  }
  if (typeof answer.id !== 'number' || (answer.result === undefined && answer.error === undefined)) return
  const asked = waiting.get(answer.id)
  waiting.delete(answer.id)
  if (answer.error === undefined) asked?.resolve(answer.result)
  else asked?.reject(new Error(`it answered with an error: ${line.slice(0, 500)}`))
}

/** One timer for all requests: it fires when something is waited for and nothing was heard over a whole interval. */
function watchSilence(waiting: ReadonlyMap<number, Waiting>, onSilence: () => void): { heard(): void; stop(): void } {
  let isQuiet = false
  const timer = setInterval(() => {
    if (isQuiet && waiting.size > 0) onSilence()
    isQuiet = true
  }, ANSWER_MS)
  return {
    heard: () => {
      isQuiet = false
    },
    stop: () => clearInterval(timer),
  }
}

async function endsWithin(ended: Promise<void>, ms: number): Promise<boolean> {
  const patience = new AbortController()
  const first = await Promise.race([ended.then(() => true), sleep(ms, false, { signal: patience.signal }).catch(() => false)])
  patience.abort()
  return first
}
