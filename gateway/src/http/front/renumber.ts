import { scanJson } from '@callgate/core/wire'
import type { JsonNode } from '@callgate/core/wire'
import { lastMember } from '../../wire/read-message.ts'
import type { WireMessage } from '../../wire/read-message.ts'

/** What of a message stands in for the client's own: its id, its progress token; texts as the client wrote them. */
export type ClientNames = { readonly id: string; readonly token?: string }

const SUBSCRIPTION_KEY = 'io.modelcontextprotocol/subscriptionId'
/** Envelope, params, their `_meta`, and its members. */
const LEVELS = 3

type Edit = { readonly node: JsonNode; readonly text: string }

/**
 * A request under a number that no other request of its connection has, for clients choose ids and tokens without knowing of
 * each other. Nothing else in it changes.
 */
export function renumberRequest(
  { text, id }: WireMessage & { readonly kind: 'request' },
  number: number,
): { readonly line: Buffer; readonly names: ClientNames } {
  const root = scanJson(text, LEVELS)
  const idNode = lastMember(root, 'id')
  const token = lastMember(lastMember(lastMember(root, 'params'), '_meta'), 'progressToken')
  const own = String(number)
  const edits = [idNode, token].flatMap((node) => (node === undefined ? [] : [{ node, text: own }]))
  return {
    line: Buffer.from(edit(text, edits)),
    names: { id: id.text, ...(token !== undefined && { token: text.slice(token.start, token.end) }) },
  }
}

/** A cancel of the request that has that number. */
export function renumberCancel({ text, root }: WireMessage & { readonly kind: 'notification' }, number: number): Buffer {
  const node = lastMember(lastMember(root, 'params'), 'requestId')
  return Buffer.from(node === undefined ? text : edit(text, [{ node, text: String(number) }]))
}

/** A line of the gateway, taken apart byte by byte, so that nothing in it is decoded. */
export type ServerLine =
  /** The answer to the request of that number; the text of its error's code where it is an error. */
  | { readonly kind: 'answer'; readonly number: number; readonly errorCode?: string; restore(names: ClientNames): Buffer }
  /** Says something about the request of that number. */
  | { readonly kind: 'about'; readonly number: number; restore(names: ClientNames): Buffer }
  /** Is about no request that it names; `isAsking` where an answer is wanted, or it tells what a call does. */
  | { readonly kind: 'other'; readonly isAsking: boolean }
  /** An answer to what nobody here asked. */
  | { readonly kind: 'stray' }

const TALK: ReadonlySet<string> = new Set(['"notifications/message"', '"notifications/progress"'])

/** Reads a line of the gateway to its client. */
export function readServerLine(line: Buffer): ServerLine {
  // One unit a byte: where it is no UTF-8 its bytes stay as they are.
  const text = line.toString('latin1')
  const root = scanJson(text, LEVELS)
  const id = lastMember(root, 'id')
  const method = lastMember(root, 'method')
  if (root.kind === 'object' && method === undefined) {
    const number = numberOf(text, id)
    if (number === undefined) return { kind: 'stray' }
    const code = lastMember(lastMember(root, 'error'), 'code')
    const errorCode = code === undefined ? {} : { errorCode: text.slice(code.start, code.end) }
    return { kind: 'answer', number, ...errorCode, restore: ({ id: own }) => put(text, id, own) }
  }
  const params = lastMember(root, 'params')
  const token = lastMember(params, 'progressToken')
  const subscription = lastMember(lastMember(params, '_meta'), SUBSCRIPTION_KEY)
  const about = numberOf(text, token) ?? numberOf(text, subscription)
  if (id === undefined && about !== undefined) {
    const restore = ({ id: own, token: ownToken }: ClientNames): Buffer =>
      numberOf(text, token) === undefined ? put(text, subscription, own) : put(text, token, ownToken ?? own)
    return { kind: 'about', number: about, restore }
  }
  const name = method === undefined ? '' : text.slice(method.start, method.end)
  return { kind: 'other', isAsking: id !== undefined || TALK.has(name) }
}

function numberOf(text: string, node: JsonNode | undefined): number | undefined {
  const raw = node?.kind === 'number' ? text.slice(node.start, node.end) : ''
  return /^\d{1,15}$/.test(raw) ? Number(raw) : undefined
}

/** `own` is the client's text, whose bytes are spelt one unit each here. */
function put(text: string, node: JsonNode | undefined, own: string): Buffer {
  const spelt = Buffer.from(own).toString('latin1')
  return Buffer.from(node === undefined ? text : edit(text, [{ node, text: spelt }]), 'latin1')
}

function edit(text: string, edits: readonly Edit[]): string {
  return edits.toSorted((a, b) => b.node.start - a.node.start).reduce((done, { node, text: own }) => done.slice(0, node.start) + own + done.slice(node.end), text)
}
