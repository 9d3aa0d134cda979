import { decodeString, scanJson } from '@callgate/core/wire'
import { lastMember, readMessage } from '../../wire/read-message.ts'
import type { ResponseHead } from './exchange.ts'
import type { ModernHead } from '../message-head.ts'
import { encodeHeader } from './param-headers.ts'

/** What a server with sessions has told of the one that we have with it, and what it takes to begin another. */
export type RemoteSession = {
  /** The server's own id of the session; undefined while there is none. */
  readonly id: string | undefined
  /** Headers of a message of the era with sessions. */
  headers(): Readonly<Record<string, string>>
  /** Takes note of the client's `initialize`, or of its word that it is initialized. */
  sent(method: string, line: Buffer): void
  /** Takes note of the answer to `initialize`; false where it is an error. */
  began(head: ResponseHead, line: Buffer): boolean
  /** What the client sent to begin the session: sent again, it begins another one. */
  readonly opening: { readonly initialize?: Buffer; readonly initialized?: Buffer }
  /** The session is over: no message carries its id any more. */
  forget(): void
}

const HEADER_VALUE = /^[\x21-\x7e]{1,1024}$/

/** Makes the session of one client, not begun. */
export function createRemoteSession(): RemoteSession {
  const opening: { initialize?: Buffer; initialized?: Buffer } = {}
  let id: string | undefined
  let version: string | undefined

  return {
    get id() {
      return id
    },
    opening,
    headers: () => ({
      ...(version !== undefined && { 'mcp-protocol-version': version }),
      ...(id !== undefined && { 'mcp-session-id': id }),
    }),
    sent(method, line) {
      if (method === 'notifications/initialized') opening.initialized = line
      if (method !== 'initialize') return
      opening.initialize = line
      id = undefined
      version = undefined
    },
    began({ headers }, line) {
      const negotiated = versionIn(line)
      if (negotiated === undefined) return false
      const given = headers['mcp-session-id']
      id = typeof given === 'string' && HEADER_VALUE.test(given) ? given : undefined
      version = HEADER_VALUE.test(negotiated) ? negotiated : undefined
      return true
    },
    forget() {
      id = undefined
    },
  }
}

/** Headers of a message of the era without sessions, which repeat what it says. */
export function modernHeaders({ version, method, name }: ModernHead): Readonly<Record<string, string>> {
  return {
    ...(version !== undefined && { 'mcp-protocol-version': encodeHeader(version) }),
    'mcp-method': encodeHeader(method),
    ...(name !== undefined && { 'mcp-name': encodeHeader(name) }),
  }
}

function versionIn(line: Buffer): string | undefined {
  const message = readMessage(line)
  if (message.kind !== 'response') return undefined
  const result = lastMember(message.root, 'result')
  if (result?.kind !== 'object') return undefined
  const text = message.text.slice(result.start, result.end)
  const version = lastMember(scanJson(text, 1), 'protocolVersion')
  return version?.kind === 'string' ? decodeString(text, version) : ''
}
