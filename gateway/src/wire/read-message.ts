import { isUtf8 } from 'node:buffer'
import { isCallgateError } from '@callgate/core'
import { decodeString, scanJson } from '@callgate/core/wire'
import type { JsonMember, JsonNode } from '@callgate/core/wire'
import { readRawId } from './raw-id.ts'
import type { RawId } from './raw-id.ts'

/** JSON-RPC's code for a text that is no JSON. */
export const PARSE_ERROR = -32_700
/** JSON-RPC's code for JSON that is no message, or one that two readers could read differently. */
export const INVALID_REQUEST = -32_600

/** The text of a message and its outermost object; `members` go two levels down. `isLossy`: its bytes were no UTF-8. */
export type MessageText = { readonly text: string; readonly root: JsonNode; readonly isLossy?: true }

/** One line as JSON-RPC. Where a key stands twice the last one is read, as most parsers do. */
export type WireMessage =
  | (MessageText & { readonly kind: 'request'; readonly method: string; readonly id: RawId })
  | (MessageText & { readonly kind: 'notification'; readonly method: string; readonly hasNullId: boolean })
  | (MessageText & { readonly kind: 'response'; readonly id: RawId | undefined })
  | (MessageText & { readonly kind: 'batch' })
  | { readonly kind: 'blank' }
  | Invalid

/** A line that is no message, and why; the id where one could be read. */
export type Invalid = {
  readonly kind: 'invalid'
  readonly code: number
  readonly why: string
  readonly id?: RawId
}

const LEVELS = 2

/** Reads a line's envelope; total. The text and the bytes it came from name each other exactly, since only UTF-8 is read. */
export function readMessage(line: Buffer): WireMessage {
  if (!isUtf8(line)) return { kind: 'invalid', code: PARSE_ERROR, why: 'The message is not UTF-8.' }
  return readText(line.toString('utf8'))
}

/**
 * Reads a line that is passed on whatever its text says: where the bytes are no UTF-8, each part that is none reads as
 * U+FFFD. Only the envelope may be believed then, and never what a decision rests on; the bytes go on as they came.
 */
export function readLossyMessage(line: Buffer): WireMessage {
  const message = readText(line.toString('utf8'))
  const hasText = message.kind !== 'invalid' && message.kind !== 'blank'
  return hasText && !isUtf8(line) ? { ...message, isLossy: true } : message
}

function readText(text: string): WireMessage {
  if (text === '\n' || text === '\r\n') return { kind: 'blank' }
  if (text.charCodeAt(0) === 0xfeff)
    return { kind: 'invalid', code: PARSE_ERROR, why: 'The message begins with a byte order mark.' }
  try {
    return readEnvelope(text, scanJson(text, LEVELS))
  } catch (error) {
    if (!isCallgateError(error)) throw error
    return { kind: 'invalid', code: PARSE_ERROR, why: error.message }
  }
}

/** Reads the message that a node of `text` is: a whole line's, or one of a batch. */
export function readEnvelope(text: string, root: JsonNode): WireMessage {
  if (root.kind === 'array') return { kind: 'batch', text, root }
  if (root.kind !== 'object') return { kind: 'invalid', code: INVALID_REQUEST, why: 'The message is no JSON object.' }
  const method = lastMember(root, 'method')
  const idNode = lastMember(root, 'id')
  const id = readRawId(text, idNode)
  if (idNode !== undefined && id === undefined && idNode.kind !== 'null')
    return invalidRequest('The id is neither a string nor a number.')
  if (method === undefined) {
    const isAnswer = root.members?.some(({ key }) => key === 'result' || key === 'error') ?? false
    return isAnswer ? { kind: 'response', text, root, id } : invalidRequest('The message has no method, result or error.', id)
  }
  if (method.kind !== 'string') return invalidRequest('The method is no string.', id)
  const name = decodeString(text, method)
  if (id === undefined) return { kind: 'notification', text, root, method: name, hasNullId: idNode !== undefined }
  return { kind: 'request', text, root, method: name, id }
}

/** The value of the last member with that key: what a parser that lets the last one win would read. */
export function lastMember(node: JsonNode | undefined, key: string): JsonNode | undefined {
  return node?.members?.findLast((member: JsonMember) => member.key === key)?.value
}

function invalidRequest(why: string, id?: RawId): Invalid {
  return { kind: 'invalid', code: INVALID_REQUEST, why, ...(id !== undefined && { id }) }
}
