import { STATUS_CODES } from 'node:http'
import { reveal } from '@callgate/core'
import { decodeString, scanJson } from '@callgate/core/wire'
import { lastMember, readLossyMessage } from '../../wire/read-message.ts'
import type { RawId } from '../../wire/raw-id.ts'
import type { ExchangeEnd } from './exchange.ts'

/** Why a message got no answer: `refused` where the server says that it did not take it, or got nothing; else `lost`. */
export type RemoteFailure = { readonly kind: 'refused' | 'lost'; readonly why: string }

const MAX_SHOWN = 300
const NEXT: Readonly<Record<number, string>> = {
  401: 'It wants other credentials: set them under server.headers in the gates file.',
  403: 'It forbids this: look at the credentials under server.headers in the gates file.',
  404: 'Look at the path of the URL.',
  405: 'It takes no messages at this URL: look at its path.',
  429: 'It is asked too much: wait before the next call.',
}

/** What an exchange's end means, for the server at `place`; total. */
export function describeFailure(end: ExchangeEnd, place: string): RemoteFailure {
  if (end.kind === 'unreached')
    return { kind: 'refused', why: `The server at ${place} could not be reached (${end.why}). Is it running?` }
  if (end.kind === 'unfit') return { kind: 'refused', why: end.why }
  if (end.kind === 'broken')
    return { kind: 'lost', why: `The connection to the server at ${place} broke before its answer (${end.why}).` }
  if (end.kind === 'streamed')
    return { kind: 'lost', why: `The server at ${place} ended the stream without its answer.` }
  const { status, headers } = end
  const said = saidIn(end.body)
  const how = `${status}${STATUS_CODES[status] === undefined ? '' : ` ${STATUS_CODES[status]}`}${said === '' ? '' : `: ${said}`}`
  if (status >= 300 && status < 400) {
    const to = typeof headers.location === 'string' ? ` to ${shown(headers.location.split(/[?#]/)[0] ?? '')}` : ''
    return { kind: status === 303 ? 'lost' : 'refused', why: `The server at ${place} redirects${to} (${status}), which is not followed: name that URL.` }
  }
  if (status >= 400 && status < 500) return { kind: 'refused', why: `The server at ${place} refused the message (${how}). ${NEXT[status] ?? ''}`.trimEnd() }
  if (status < 300) return { kind: 'lost', why: `The server at ${place} took the message and sent no answer to it (${status}).` }
  return { kind: 'lost', why: `The server at ${place} failed (${how}).` }
}

/** Whether a line answers the request, alone or in a batch. */
export function isAnswerTo(line: Buffer, id: RawId): boolean {
  const message = readLossyMessage(line)
  // A batch is taken apart where lines are read; what it leaves open is as rare as the batches.
  return message.kind === 'batch' || (message.kind === 'response' && message.id?.key === id.key)
}

/** The message of a JSON-RPC error, else nothing: a page of HTML tells a model nothing. */
function saidIn(body: Buffer): string {
  const message = readLossyMessage(body)
  if (message.kind !== 'response') return ''
  const error = lastMember(message.root, 'error')
  if (error?.kind !== 'object') return ''
  const text = message.text.slice(error.start, error.end)
  const said = lastMember(scanJson(text, 1), 'message')
  return said?.kind === 'string' ? shown(decodeString(text, said)) : ''
}

function shown(text: string): string {
  return reveal(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text)
}
