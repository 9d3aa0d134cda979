import { reveal } from '@callgate/core'
import type { Completion } from '@callgate/core'
import { readEnvelope, readLossyMessage } from '../wire/read-message.ts'
import { isOwnId } from '../wire/raw-id.ts'
import type { WireMessage } from '../wire/read-message.ts'
import type { GatedCall, Slot } from './gated-call.ts'
import type { InFlight } from './in-flight.ts'
import type { OwnRequests } from './own-requests.ts'
import { readCompletion } from './read-completion.ts'
import { readListing } from './read-listing.ts'
import { readResult } from './read-result.ts'
import type { ToolCatalogue } from './tool-catalogue.ts'

/** What the server's lines are read with; `toClient` and `reserve` keep the server's order. */
export type ServerSidePorts = {
  readonly inFlight: InFlight
  readonly own: OwnRequests
  readonly catalogue: ToolCatalogue
  toClient(bytes: Buffer): void
  reserve(): Slot
  log(line: string): void
}

type Response = WireMessage & { readonly kind: 'response' }

const MAX_SHOWN_BYTES = 200
const MAX_GARBAGE_LINES = 1_000

/**
 * Reads the server's lines: answers to gated calls go through the gatekeeper, the gateway's own are kept, the rest
 * passes as it came. The function returns false for what is no message.
 */
export function createServerSide(ports: ServerSidePorts): (line: Buffer) => boolean {
  const { inFlight, own, catalogue, toClient } = ports
  let garbageLines = 0

  const dropGarbage = (line: Buffer): void => {
    garbageLines += 1
    if (garbageLines > MAX_GARBAGE_LINES) return
    const shown = reveal(line.toString('utf8', 0, MAX_SHOWN_BYTES).trimEnd())
    ports.log(`the server wrote to stdout what is no message: ${shown}${line.length > MAX_SHOWN_BYTES ? '…' : ''}`)
    if (garbageLines === MAX_GARBAGE_LINES) ports.log('the server keeps writing what is no message; no more of it is shown')
  }

  const takeResponse = (message: Response, line: Buffer): void => {
    const { id } = message
    if (id === undefined) return toClient(line)
    if (isOwnId(id)) return own.answered(message)
    const pending = inFlight.get(id)
    if (pending === undefined) return toClient(line)
    if (pending.kind === 'call') return settle(ports, pending.call, message, line)
    const page = pending.listing === undefined ? undefined : readListing(message)
    if (page !== undefined) catalogue.learn(pending.listing?.cursor, page)
    inFlight.removePlain(id)
    toClient(line)
  }

  const take = (message: WireMessage, line: Buffer): boolean => {
    if (message.kind === 'blank') return false
    if (message.kind === 'invalid' || (message.kind === 'batch' && !hasMessage(message))) {
      dropGarbage(line)
      return false
    }
    if (message.kind === 'notification' && message.method === 'notifications/tools/list_changed') catalogue.drop()
    if (message.kind === 'batch') takeBatch(message, line)
    else if (message.kind === 'response') takeResponse(message, line)
    else toClient(line)
    return true
  }

  /** A batch that answers the gateway or a gated call is taken apart; any other passes as it came. */
  const takeBatch = ({ text, root, isLossy }: WireMessage & { readonly kind: 'batch' }, line: Buffer): void => {
    const items = (root.items ?? []).map((node) => ({ node, message: readEnvelope(text, node) }))
    const isOurs = items.some(
      ({ message }) =>
        message.kind === 'response' &&
        message.id !== undefined &&
        (isOwnId(message.id) || inFlight.get(message.id) !== undefined),
    )
    const isChange = items.some(
      ({ message }) => message.kind === 'notification' && message.method === 'notifications/tools/list_changed',
    )
    if (!isOurs && !isChange) return toClient(line)
    for (const { node } of items) {
      const piece = Buffer.from(`${text.slice(node.start, node.end)}\n`)
      take({ ...readLossyMessage(piece), ...(isLossy && { isLossy }) }, piece)
    }
  }

  return (line) => take(readLossyMessage(line), line)
}

/** Whether a batch holds anything that is a message. */
function hasMessage({ text, root }: WireMessage & { readonly kind: 'batch' }): boolean {
  return (root.items ?? []).some((node) => !['invalid', 'batch'].includes(readEnvelope(text, node).kind))
}

/** What a cancelled call did is never delivered, so its success marks nothing (contract 9). */
function completionOf({ isCancelled }: GatedCall, message: Response): Completion {
  const completion = readCompletion(message)
  return isCancelled && completion === 'success' ? 'incomplete' : completion
}

function settle({ log, reserve }: ServerSidePorts, call: GatedCall, message: Response, line: Buffer): void {
  if (call.forwarded === undefined || call.answer !== undefined) {
    // A client would take it for the answer to a call that never ran, or ran before.
    return log(
      `the server answered request ${call.message.id.text}, which it was not asked or has answered; the answer was dropped`,
    )
  }
  call.answer = { line, completion: completionOf(call, message), slot: reserve(), reading: () => readResult(message) }
  call.forwarded.resolve(call.answer)
}
