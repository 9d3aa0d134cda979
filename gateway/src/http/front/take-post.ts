import type { IncomingMessage, ServerResponse } from 'node:http'
import { clientDefect } from '../../wire/client-defect.ts'
import { INVALID_REQUEST, readMessage } from '../../wire/read-message.ts'
import type { WireMessage } from '../../wire/read-message.ts'
import { openChannel } from './answer-channel.ts'
import type { AnswerChannel, ChannelForm, ChannelTimings } from './answer-channel.ts'
import type { ClientSession } from './client-session.ts'
import { readModernHead } from '../message-head.ts'
import { mirrorDefect } from './mirrored-headers.ts'
import { oneLine } from '../one-line.ts'
import type { BodyReader, NoBody } from './read-body.ts'
import { HEADER_MISMATCH, TRANSPORT_ERROR } from './refuse-request.ts'
import type { RequestRefusal } from './refuse-request.ts'
import type { SessionTable } from './session-table.ts'

/** What a POST is taken with. */
export type PostTaker = { readonly table: SessionTable; readonly readBody: BodyReader; readonly timings: ChannelTimings; readonly sessionHeader?: string; log(line: string): void }

const ANY_ID = { text: '0', key: 'n0' }
const LF = 0x0a
const CR = 0x0d

type Message = Extract<WireMessage, { readonly kind: 'request' | 'notification' | 'response' }>

/** Takes a POST of that principal: the answer comes on its response. Resolves with why it is not taken. */
export async function takePost(
  taker: PostTaker,
  principal: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<RequestRefusal | undefined> {
  const accepted = acceptance(request.headers.accept)
  const unfit = typeDefect(request) ?? (accepted === undefined ? refusal(406, 'Accept must name application/json or text/event-stream.') : undefined)
  if (unfit !== undefined || accepted === undefined) return unfit
  const body = await taker.readBody(request)
  if (typeof body === 'string') return noBody(body)
  const read = readBodyMessage(body)
  if ('status' in read) return read
  const { message, line } = read
  const modern = message.kind === 'response' ? undefined : readModernHead(message)
  const defect = message.kind === 'response' ? undefined : mirrorDefect(request.headers, message, modern)
  if (defect !== undefined) {
    taker.log(`refused a message of the client: ${defect}`)
    return { status: 400, code: HEADER_MISMATCH, why: defect, ...idOf(message) }
  }
  const who = readSessionName(taker, request)
  if (typeof who === 'string') return { ...refusal(400, who), ...idOf(message) }
  const found = sessionFor(taker.table, { principal, ...who }, request, message, modern !== undefined)
  if ('status' in found) return { ...found, ...idOf(message) }
  const open = (): AnswerChannel =>
    openChannel(response, { form: formOf(accepted, modern !== undefined), headers: found.headers, timings: taker.timings })
  if (message.kind === 'request') await found.session.ask(message, open(), modern !== undefined)
  else {
    await found.session.tell(message, line)
    response.writeHead(202).end()
  }
  return undefined
}

/** In the era without sessions an error may have a status of its own, so that an answer that comes at once is JSON there. */
function formOf(accepted: 'stream' | 'json', isModern: boolean): ChannelForm {
  if (accepted === 'json') return 'json'
  return isModern ? 'either' : 'stream'
}

type Found = { readonly session: ClientSession; readonly headers: Readonly<Record<string, string>> }

/** The name by which the client's host calls its session, where one is wanted; or why there is none. */
export function readSessionName({ sessionHeader }: Pick<PostTaker, 'sessionHeader'>, { headers }: IncomingMessage): { readonly name?: string } | string {
  if (sessionHeader === undefined) return {}
  const name = headers[sessionHeader]
  if (typeof name === 'string' && NAME.test(name)) return { name }
  return `The header ${sessionHeader} must name the session: up to 200 visible characters.`
}

const NAME = /^[\x21-\x7e]{1,200}$/

type Who = { readonly principal: string; readonly name?: string }

function sessionFor(table: SessionTable, { principal, name }: Who, request: IncomingMessage, message: Message, isModern: boolean): Found | RequestRefusal {
  const full = (): RequestRefusal => ({ ...refusal(503, 'The gateway has too many sessions. End one, or try again later.'), headers: { 'retry-after': '60' } })
  if (isModern) {
    const session = table.shared(principal, name)
    return session === undefined ? full() : { session, headers: {} }
  }
  const id = request.headers['mcp-session-id']
  if (typeof id === 'string') {
    const session = table.find(id, principal, name)
    return session === undefined ? noSession() : { session, headers: {} }
  }
  if (message.kind !== 'request' || message.method !== 'initialize')
    return refusal(400, 'The header Mcp-Session-Id is missing: a session begins with initialize.')
  const begun = table.begin(principal, name)
  return begun === undefined ? full() : { session: begun.session, headers: { 'mcp-session-id': begun.id } }
}

/** What a client is told whose session there is not, or is somebody else's. */
export function noSession(): RequestRefusal {
  return { status: 404, code: -32_001, why: 'There is no such session. Begin one with initialize.' }
}

function readBodyMessage(body: Buffer): { readonly message: Message; readonly line: Buffer } | RequestRefusal {
  // A line break inside a string is no JSON, and must be refused before it is a blank.
  const whole = body.includes(LF) || body.includes(CR) ? readMessage(body) : undefined
  if (whole?.kind === 'invalid') return invalid(whole.why, whole.code, whole.id)
  const line = oneLine(body)
  const message = readMessage(line)
  if (message.kind === 'invalid') return invalid(message.why, message.code, message.id)
  if (message.kind === 'blank') return invalid('The body is no message.')
  // Its id is numbered anew, so that it may be one of another gateway's own.
  const defect = clientDefect(message.kind === 'request' ? { ...message, id: ANY_ID } : message)
  const id = defect?.id !== undefined && message.kind === 'request' ? message.id : undefined
  if (defect !== undefined || message.kind === 'batch') return invalid(defect?.why ?? '', defect?.code, id)
  return { message, line }
}

function invalid(why: string, code: number = INVALID_REQUEST, id?: RequestRefusal['id']): RequestRefusal {
  return { status: 400, code, why, ...(id !== undefined && { id }) }
}

function noBody(why: NoBody): RequestRefusal {
  if (why === 'too long') return refusal(413, 'The message is too long for this gateway.')
  return refusal(503, 'The gateway reads too many messages at a time. Try again.')
}

function typeDefect({ headers }: IncomingMessage): RequestRefusal | undefined {
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') return refusal(415, 'The content type must be application/json.')
  const encoding = headers['content-encoding'] ?? 'identity'
  return encoding.toLowerCase() === 'identity' ? undefined : refusal(415, 'The body must not be compressed.')
}

function acceptance(accept = '*/*'): 'stream' | 'json' | undefined {
  const types = accept.split(',').map((part) => part.split(';')[0]?.trim().toLowerCase() ?? '')
  if (types.some((type) => ['text/event-stream', 'text/*', '*/*'].includes(type))) return 'stream'
  return types.some((type) => ['application/json', 'application/*'].includes(type)) ? 'json' : undefined
}

function refusal(status: number, why: string): RequestRefusal {
  return { status, code: TRANSPORT_ERROR, why }
}

function idOf(message: Message): Pick<RequestRefusal, 'id'> {
  return message.kind === 'request' ? { id: message.id } : {}
}
