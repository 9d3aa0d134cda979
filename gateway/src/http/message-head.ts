import { decodeString, scanJson } from '@callgate/core/wire'
import type { JsonNode } from '@callgate/core/wire'
import { lastMember } from '../wire/read-message.ts'
import type { WireMessage } from '../wire/read-message.ts'

/** What a message says of itself, where it is one of the era without sessions (from 2026-07-28 on). */
export type ModernHead = {
  /** Absent where the message does not name it. */
  readonly version?: string
  readonly method: string
  /** What `Mcp-Name` mirrors. */
  readonly name?: string
}

/** The first revision without sessions. */
export const FIRST_MODERN = '2026-07-28'
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'
/** From which member of `params` a method's `Mcp-Name` comes. */
const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
}

type Outgoing = Extract<WireMessage, { readonly kind: 'request' | 'notification' }>

/** Reads the head of a message of the modern era; undefined for any other. The era is told message by message. */
export function readModernHead(message: Outgoing): ModernHead | undefined {
  const { text, root, method } = message
  const version = versionOf(text, lastMember(lastMember(root, 'params'), '_meta'))
  if (version === undefined && method !== 'server/discover') return undefined
  const name = nameOf(message)
  return { method, ...(version !== undefined && { version }), ...(name !== undefined && { name }) }
}

/** What a message's `Mcp-Name` says, where its method has one. */
export function nameOf({ text, root, method }: Outgoing): string | undefined {
  const source = Object.hasOwn(NAMED_BY, method) ? NAMED_BY[method] : undefined
  return source === undefined ? undefined : stringOf(text, lastMember(lastMember(root, 'params'), source))
}

function versionOf(text: string, meta: JsonNode | undefined): string | undefined {
  if (meta?.kind !== 'object') return undefined
  const metaText = text.slice(meta.start, meta.end)
  return stringOf(metaText, lastMember(scanJson(metaText, 1), VERSION_KEY))
}

function stringOf(text: string, node: JsonNode | undefined): string | undefined {
  return node?.kind === 'string' ? decodeString(text, node) : undefined
}
