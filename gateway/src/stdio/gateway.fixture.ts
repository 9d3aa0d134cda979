import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { answerHold, createApproverToken } from '@callgate/core'
import type { Hold, Store } from '@callgate/core'
import { local } from '@callgate/core/local'
import { onTestFinished } from 'vitest'
import { runStdioGateway } from './run-stdio-gateway.ts'
import type { StdioGatewayOptions } from './stdio-gateway-options.ts'

/** The path of a program in gateway/test-fixtures. */
export function fixturePath(name: string): string {
  return fileURLToPath(new URL(`../../test-fixtures/${name}`, import.meta.url))
}

/** A folder that is gone when the test is. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'callgate-gateway-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export type Message = {
  readonly id?: string | number | null
  readonly method?: string
  readonly params?: { readonly progressToken?: string; readonly progress?: number; readonly message?: string }
  readonly result?: {
    readonly isError?: boolean
    readonly content?: readonly { readonly text: string }[]
    readonly _meta?: Record<string, unknown>
    readonly resultType?: string
  }
  readonly error?: { readonly code: number; readonly message: string }
}

/** A gateway in this process before a real child process, and the client's end of it. */
export type RunningGateway = {
  readonly store: Store
  readonly logged: string[]
  readonly received: () => string
  readonly exit: Promise<number>
  readonly output: PassThrough
  readonly input: PassThrough
  /** Lines that the server got, as they came. */
  forwarded(): readonly string[]
  send(...lines: string[]): void
  call(id: number | string, name: string, args?: string, more?: string): void
  /** The first message that fits, now or later. */
  next(fits: (message: Message) => boolean): Promise<Message>
  answer(id: number | string): Promise<Message>
  messages(): readonly Message[]
  hold(): Promise<Hold>
  approve(id: string, verdict?: 'approve' | 'deny'): Promise<void>
  stop(): void
}

const SECONDS = 8

/** Starts a gateway before `tool-server.mjs` with the flags given, or before another command; ended with the test. */
export function startGateway(flags: readonly string[] = [], more: Partial<StdioGatewayOptions> = {}): RunningGateway {
  const record = join(temporaryFolder(), 'forwarded.txt')
  const { store } = more.store === undefined ? local() : { store: more.store }
  const stop = new AbortController()
  const input = new PassThrough()
  const output = new PassThrough()
  const logged: string[] = []
  let received = ''
  output.setEncoding('utf8').on('data', (text: string) => {
    received += text
  })
  const exit = runStdioGateway({
    command: [process.execPath, fixturePath('tool-server.mjs'), ...flags],
    env: { ...process.env, RECORD: record, CALLGATE_SECRET: 'x' },
    gates: GATES,
    principal: 'tester',
    session: 's1',
    input,
    output,
    log: (line) => void logged.push(line),
    signal: stop.signal,
    ...more,
    store,
  })
  onTestFinished(async () => {
    stop.abort()
    await exit.catch(() => undefined)
  })
  return {
    ...clientOf(input, () => received, logged),
    store,
    logged,
    exit,
    input,
    output,
    forwarded: () => readLines(record),
    hold: () =>
      until(
        async () => (await store.holds.list({ limit: 10, statuses: ['pending'] }))[0],
        () => `no hold in ${received}`,
      ),
    approve: (id, verdict = 'approve') => answer(store, id, verdict),
    stop: () => stop.abort(),
  }
}

export type ClientEnd = Pick<RunningGateway, 'send' | 'next' | 'messages' | 'received' | 'call' | 'answer'>

/** What a test says and hears as the client. */
export function clientOf(input: PassThrough, received: () => string, logged: readonly string[]): ClientEnd {
  const messages = (): readonly Message[] =>
    received()
      .split('\n')
      .slice(0, -1)
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Message)
  const send = (...lines: string[]): void => void input.write(lines.map((line) => `${line}\n`).join(''))
  const next = (fits: (message: Message) => boolean): Promise<Message> =>
    until(
      () => messages().find(fits),
      () => `nothing fits in ${received()}; log: ${logged.join(' | ')}`,
    )
  return {
    send,
    next,
    messages,
    received,
    call(id, name, args = '{}', rest = '') {
      const params = `{"name":${JSON.stringify(name)},"arguments":${args}${rest}}`
      send(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"tools/call","params":${params}}`)
    },
    answer: (id) => next((message) => message.id === id && message.method === undefined),
  }
}

/** `write` needs `look`; `echo` needs a person. */
export const GATES: StdioGatewayOptions['gates'] = {
  rules: [
    { gate: 'looked', tools: ['write'], message: 'Call look first.' },
    { gate: 'confirm', tools: ['echo'], message: 'Echo this?' },
  ],
  marks: [{ gate: 'looked', tools: ['look', 'fail', 'task'] }],
}

/** Waits until `find` finds something. */
export async function until<T>(find: () => T | undefined | Promise<T | undefined>, problem: () => string): Promise<T> {
  for (const end = Date.now() + SECONDS * 1_000; Date.now() < end;) {
    const found = await find()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error(problem())
}

/** The process that a server started with `--child FILE` has started. */
export function pidIn(file: string): Promise<number> {
  return until(
    () => (existsSync(file) ? Number(readFileSync(file, 'utf8')) || undefined : undefined),
    () => 'no process was started',
  )
}

/** Whether a process runs; a zombie does not, although its number is taken. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  return !existsSync('/proc/self/stat') || !statOf(pid).includes(') Z ')
}

function statOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return ') Z '
  }
}

/** Answers a hold as an approver. */
export async function answer(store: Store, holdId: string, verdict: 'approve' | 'deny'): Promise<void> {
  const { clock, random } = local()
  const { token } = await createApproverToken({ store, clock, random }, { name: 'pat', roles: [] })
  await answerHold({ store, clock }, { holdId, verdict, token })
}

function readLines(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').slice(0, -1)
  } catch {
    return []
  }
}
