import { setTimeout as sleep } from 'node:timers/promises'
import { CallgateError } from '@callgate/core'
import { startServer } from '../../stdio/child-server.ts'
import type { ChildServer, ServerCommand } from '../../stdio/child-server.ts'
import { readLines } from '../../stdio/read-lines.ts'
import type { ListedTool } from '../../calls/read-listing.ts'
import { readTool } from '../tools-file.ts'

const TIMEOUT_MS = 30_000
const MAX_LINE_BYTES = 64 * 2 ** 20
const MAX_PAGES = 100
const GRACE_MS = 2_000

type Answer = { readonly result?: { readonly tools?: unknown; readonly nextCursor?: unknown }; readonly error?: { readonly message?: unknown } }

/** Starts a server on stdio, asks it for its tools over all pages, and ends it. Rejects with `server_failed`, within 30 seconds. */
export async function listServerTools(command: ServerCommand): Promise<readonly ListedTool[]> {
  const server = startServer(command)
  try {
    return await Promise.race([ask(server), late(), gone(server)])
  } finally {
    await end(server)
  }
}

async function ask(server: ChildServer): Promise<readonly ListedTool[]> {
  const request = createRequester(server)
  await request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'callgate-check', version: '0.1.0' } })
  server.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
  const tools: ListedTool[] = []
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { result } = await request('tools/list', cursor === undefined ? {} : { cursor })
    if (!Array.isArray(result?.tools)) throw failed('it answered tools/list with something that is no list of tools')
    for (const tool of (result.tools as readonly unknown[]).map(readTool)) if (tool !== undefined) tools.push(tool)
    if (typeof result.nextCursor !== 'string') return tools
    cursor = result.nextCursor
  }
  throw failed(`its tools/list has more than ${MAX_PAGES} pages`)
}

function createRequester({ stdin, stdout, stderr }: ChildServer): (method: string, params: object) => Promise<Answer> {
  const waiting = new Map<number, (answer: Answer) => void>()
  let ids = 0
  stdin.on('error', () => undefined)
  stderr.resume()
  readLines(stdout, MAX_LINE_BYTES, {
    line(bytes) {
      try {
        const answer = JSON.parse(bytes.toString('utf8')) as Answer & { readonly id?: number }
        if (typeof answer.id === 'number' && ('result' in answer || 'error' in answer)) waiting.get(answer.id)?.(answer)
      } catch {
        // A line that is no message is none of an answer's.
      }
    },
    tooLong: () => undefined,
    chunkRead: () => undefined,
    ended: () => undefined,
  })
  return async (method, params) => {
    const id = (ids += 1)
    const answer = new Promise<Answer>((resolve) => waiting.set(id, resolve))
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    const found = await answer
    if (found.error !== undefined) throw failed(`it answered ${method} with an error: ${String(found.error.message)}`)
    return found
  }
}

async function late(): Promise<never> {
  await sleep(TIMEOUT_MS, undefined, { ref: false })
  throw failed(`it did not list its tools within ${TIMEOUT_MS / 1_000} s`)
}

async function gone({ ended }: ChildServer): Promise<never> {
  const end = await ended
  throw failed(end.kind === 'exited' ? `it ended with ${end.signal ?? end.code} before it had listed its tools` : `it did not start: ${end.why}`)
}

async function end({ stdin, ended, kill, isAlive }: ChildServer): Promise<void> {
  stdin.end()
  await Promise.race([ended, sleep(GRACE_MS, undefined, { ref: false })])
  if (isAlive()) kill('SIGKILL')
}

function failed(why: string): CallgateError {
  return new CallgateError('server_failed', `The server could not be asked for its tools: ${why}.`)
}
