import { CallgateError } from '@callgate/core'
import type { Candidate, Completion, ToolReading } from '@callgate/core'
import type { ToolCallMessage } from '../wire/read-tool-call.ts'

/** A place in the order of what goes to the client: filled once, or released without bytes; what comes after that changes nothing. */
export type Slot = { fill(bytes: Buffer): void; skip(): void }

/** The server's answer to a forwarded call: its bytes, what it says of the call, what rules may read of it, its place in the server's order. */
export type ServerAnswer = {
  readonly line: Buffer
  readonly completion: Completion
  readonly slot: Slot
  reading(): ToolReading
}

/** One `tools/call` from its arrival to its answer. */
export type GatedCall = {
  readonly message: ToolCallMessage
  /** The arguments, or why they are not exact. */
  readonly candidate: Candidate | CallgateError
  /** Aborted where waiting for a person is over: a cancel, the client's end, the server's end. */
  readonly stopWaiting: AbortController
  /** True once the client has said that it wants no answer. */
  isCancelled: boolean
  /** Present once the call was forwarded. */
  forwarded?: { resolve(answer: ServerAnswer): void; reject(error: Error): void }
  /** Present once the server answered it. */
  answer?: ServerAnswer
}

/** The call was not forwarded, although it had been decided to run. */
export class NotForwardedError extends CallgateError {
  constructor(why: string) {
    super('not_run', why)
  }
}

/** The call was forwarded and no answer will come: its outcome is unknown. */
export class AnswerLostError extends CallgateError {
  constructor(why: string) {
    super('unknown_outcome', why)
  }
}

/** A call that has just arrived. */
export function createGatedCall(message: ToolCallMessage, candidate: Candidate | CallgateError): GatedCall {
  return { message, candidate, stopWaiting: new AbortController(), isCancelled: false }
}

/** Gives the client the server's answer in its place, unless it wants none any more: then the place is released. */
export function deliverAnswer({ isCancelled }: Pick<GatedCall, 'isCancelled'>, { line, slot }: ServerAnswer): void {
  if (isCancelled) slot.skip()
  else slot.fill(line)
}

/** What became of a call that gets no answer of the server's, as a sentence. */
export function fateOf({ forwarded }: GatedCall): string {
  return forwarded === undefined
    ? 'Nothing was executed.'
    : 'The call had been sent to it: whether it was carried out is unknown.'
}
