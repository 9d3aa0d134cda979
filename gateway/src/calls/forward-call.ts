import { Candidate, canonicalJson } from '@callgate/core'
import type { Change, JsonObject, JsonValue, Run } from '@callgate/core'
import { spliceArguments } from '../wire/splice-arguments.ts'
import type { ToolCallMessage } from '../wire/read-tool-call.ts'
import { NotForwardedError } from './gated-call.ts'
import type { GatedCall, ServerAnswer } from './gated-call.ts'

/** Where forwarded calls go; `gone` says why none can any more. */
export type ServerLine = { toServer(bytes: Buffer): void; gone(): string | undefined }

/**
 * What a gatekeeper runs for a call: it forwards the message, as it came or with the changed values spliced in, and
 * resolves with the server's answer. Throws `NotForwardedError`, or `AnswerLostError` where the server ends first.
 */
export function createForward(call: GatedCall, server: ServerLine): Run<ServerAnswer> {
  return (args, { changes }) => {
    if (call.isCancelled) throw new NotForwardedError('The client cancelled the call.')
    const gone = server.gone()
    if (gone !== undefined) throw new NotForwardedError(gone)
    const bytes = changes.length === 0 ? call.message.line : Buffer.from(repairedText(call.message, changes, args))
    return new Promise<ServerAnswer>((resolve, reject) => {
      call.forwarded = { resolve, reject }
      server.toServer(bytes)
    })
  }
}

/** What goes out is read back: it must be what was admitted, to the digit. */
function repairedText({ text, args }: ToolCallMessage, changes: readonly Change[], admitted: JsonObject): string {
  if (args === undefined) throw new NotForwardedError('The repaired arguments have no place in the message.')
  const spliced = spliceArguments(text, args, changes, admitted)
  const sent = Candidate.ofWire(spliced.slice(args.start, spliced.length - (text.length - args.end)))
  if (canonicalJson(sent.fields['arguments'] as JsonValue) === canonicalJson(admitted)) return spliced
  throw new NotForwardedError('The repaired arguments could not be written as they were admitted.')
}
