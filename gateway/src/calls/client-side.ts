import { errorAnswer } from '../wire/answers.ts'
import { clientDefect } from '../wire/client-defect.ts'
import { readRawId } from '../wire/raw-id.ts'
import type { RawId } from '../wire/raw-id.ts'
import { INVALID_REQUEST, lastMember, readMessage } from '../wire/read-message.ts'
import type { Invalid, WireMessage } from '../wire/read-message.ts'
import { readToolCall } from '../wire/read-tool-call.ts'
import type { CallDesk } from './call-desk.ts'
import { AnswerLostError, createGatedCall } from './gated-call.ts'
import type { GatedCall } from './gated-call.ts'
import type { InFlight } from './in-flight.ts'
import { readArguments } from './read-arguments.ts'
import type { ArgumentsReading } from './read-arguments.ts'
import { readListingRequest } from './read-listing.ts'
import { INTERNAL_ERROR } from './settle-gated-call.ts'
import { createUsedIds } from './used-ids.ts'

/** What the client's lines are read with. */
export type ClientSidePorts = {
  readonly inFlight: InFlight
  readonly desk: CallDesk
  readonly limits: { readonly inFlight: number; readonly callBytes: number }
  readonly reading: ArgumentsReading
  toServer(bytes: Buffer): void
  toClient(bytes: Buffer): void
  /** The same, after all that the server has said by now. */
  inOrder(bytes: Buffer): void
  /** Why the server takes nothing any more. */
  gone(): string | undefined
  log(line: string): void
}

type Request = WireMessage & { readonly kind: 'request' }
type Notification = WireMessage & { readonly kind: 'notification' }

/** Reads the client's lines in order: tool calls go to the desk, what could be read in two ways is refused, the rest passes. */
export function createClientSide(ports: ClientSidePorts): (line: Buffer) => void {
  const { inFlight, desk, toServer } = ports
  const cancelled = new Set<GatedCall>()
  const used = createUsedIds()

  const refuse = ({ code, why, id }: Invalid, say = ports.toClient): void => {
    ports.log(`refused a message of the client: ${why}`)
    say(errorAnswer(id, code, why))
  }

  const takeRequest = (message: Request, line: Buffer): void => {
    const isCall = message.method === 'tools/call'
    const refused = collision(inFlight, message, isCall) ?? unacceptable(ports, message, isCall, line)
    if (refused !== undefined) return refuse(refused)
    const objection = used.objection(message.id)
    // In the server's order, lest the client take it for the answer to the first request, where that is still on its way.
    if (isCall && objection !== undefined) return refuse(invalid(objection, message.id), ports.inOrder)
    if (!isCall) return passRequest(message, line, objection === undefined)
    const read = readToolCall(message, line)
    if ('kind' in read) return refuse(read)
    const args = readArguments(read, ports.reading)
    if ('kind' in args) return args.kind === 'invalid' ? refuse(args) : desk.refuse({ message: read }, args)
    const call = createGatedCall(read, args)
    used.add(read.id)
    inFlight.addCall(call)
    desk.take(call)
  }

  const passRequest = (message: Request, line: Buffer, isNewId: boolean): void => {
    used.add(message.id)
    // What comes under an id that is not new may answer another request than this one.
    inFlight.addPlain(message.id, message.method, isNewId ? listingOf(message) : undefined)
    toServer(line)
  }

  const takeNotification = (message: Notification, line: Buffer): void => {
    if (message.method === 'tools/call') return refuse(invalid('A tools/call needs an id.'))
    const id = message.method === 'notifications/cancelled' ? cancelledId(message) : undefined
    const pending = id === undefined ? undefined : inFlight.get(id)
    if (id !== undefined && pending?.kind === 'plain') inFlight.removePlain(id)
    if (pending?.kind !== 'call' || cancel(pending.call, cancelled)) toServer(line)
  }

  return (line) => {
    const message = readMessage(line)
    if (message.kind === 'blank') return
    const defect = message.kind === 'invalid' ? message : clientDefect(message)
    if (defect !== undefined) return refuse(defect)
    if (message.kind === 'request') takeRequest(message, line)
    else if (message.kind === 'notification') takeNotification(message, line)
    else toServer(line)
  }
}

/** How many cancelled calls may still wait for an answer that need not come; beyond it the oldest is given up. */
const MAX_CANCELLED = 1_000

/** Takes note that nobody wants a call's answer; true where the server has it and must hear so too. */
function cancel(call: GatedCall, cancelled: Set<GatedCall>): boolean {
  call.isCancelled = true
  call.stopWaiting.abort()
  if (call.forwarded === undefined) return false
  cancelled.add(call)
  const [oldest] = cancelled
  if (cancelled.size <= MAX_CANCELLED || oldest === undefined) return true
  cancelled.delete(oldest)
  oldest.forwarded?.reject(new AnswerLostError('The client cancelled the call.'))
  return true
}

/** A request whose answer could not be told from that of one in flight: one of the two is a call. */
function collision(inFlight: InFlight, { id }: Request, isCall: boolean): Invalid | undefined {
  const before = inFlight.get(id)
  if (before === undefined || (!isCall && before.kind === 'plain')) return undefined
  const isAwaited = before.kind === 'plain' || !before.call.isCancelled
  // An answer under an id that is awaited would be taken for the first request's: the text names it instead.
  return invalid(`The id ${id.text} is that of a request still in flight. Nothing was executed.`, isAwaited ? undefined : id)
}

function unacceptable(ports: ClientSidePorts, { id }: Request, isCall: boolean, line: Buffer): Invalid | undefined {
  const { inFlight, limits } = ports
  const gone = ports.gone()
  if (gone !== undefined) return { kind: 'invalid', code: INTERNAL_ERROR, why: `${gone} Nothing was executed.`, id }
  const isFull = inFlight.size >= limits.inFlight || (isCall && inFlight.callBytes + line.length > limits.callBytes)
  return isFull
    ? {
        kind: 'invalid',
        code: INTERNAL_ERROR,
        why: 'Too many requests are in flight. Nothing was executed. Wait for an answer.',
        id,
      }
    : undefined
}

function listingOf(message: Request): { readonly cursor?: string } | undefined {
  if (message.method !== 'tools/list') return undefined
  const { isPlain, ...listing } = readListingRequest(message)
  return isPlain ? listing : undefined
}

function cancelledId({ text, root }: Notification): RawId | undefined {
  return readRawId(text, lastMember(lastMember(root, 'params'), 'requestId'))
}

function invalid(why: string, id?: RawId): Invalid {
  return { kind: 'invalid', code: INVALID_REQUEST, why, ...(id !== undefined && { id }) }
}
