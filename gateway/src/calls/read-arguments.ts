import { Candidate, isCallgateError, reveal } from '@callgate/core'
import type { CallgateError } from '@callgate/core'
import { decodeString, duplicateKey, scanJson } from '@callgate/core/wire'
import type { JsonNode } from '@callgate/core/wire'
import { INVALID_REQUEST } from '../wire/read-message.ts'
import type { Invalid } from '../wire/read-message.ts'
import type { ToolCallMessage } from '../wire/read-tool-call.ts'
import { ownRefusal, quoted } from './own-refusal.ts'
import type { OwnRefusal } from './own-refusal.ts'

/** A call's arguments, or why they are not exact. */
export type SentArguments = Candidate | CallgateError

const DUPLICATE_LEVELS = 1_000

/**
 * How arguments are read: at most `mostBytes` of them; `readsText` where a policy reads arguments that are one text; no name in
 * them is told with `hidesNames`, since it may be a redacted value, and which ones are is not known of what cannot be read.
 */
export type ArgumentsReading = { readonly mostBytes: number; readonly readsText: boolean; readonly hidesNames: boolean }

/**
 * The arguments of a call, to the digit; an absent value is an empty object. Refused: what is no object (nor, with `readsText`,
 * a text), longer than `mostBytes` (before it is read). Invalid, since two readers could read them differently: a key that
 * stands twice. What is not exact is left to the gatekeeper, which says the gates' messages first.
 */
export function readArguments(
  { args, text, id }: ToolCallMessage,
  { mostBytes, readsText, hidesNames }: ArgumentsReading,
): SentArguments | OwnRefusal | Invalid {
  if (args === undefined) return Candidate.ofArguments({})
  if (args.kind !== 'object' && !(readsText && args.kind === 'string')) {
    return ownRefusal(
      'arguments',
      'type_mismatch',
      `The arguments are no JSON object but ${nameOf(args)}. Send an object, {} where the tool takes nothing.`,
    )
  }
  const argsText = text.slice(args.start, args.end)
  if (argsText.length > mostBytes || Buffer.byteLength(argsText) > mostBytes) {
    return ownRefusal('arguments', 'over_budget', `The arguments are longer than ${mostBytes} bytes. Send less at once.`)
  }
  try {
    return args.kind === 'string' ? Candidate.of({ arguments: decodeString(text, args) }) : Candidate.ofWire(argsText)
  } catch (error) {
    const key = repeatedKey(argsText)
    if (key !== undefined) {
      const what = hidesNames ? 'A key' : `The key ${reveal(quoted(key))}`
      return { kind: 'invalid', code: INVALID_REQUEST, why: `${what} stands twice in the arguments.`, id }
    }
    if (isCallgateError(error)) return error
    throw error
  }
}

function repeatedKey(text: string): string | undefined {
  const open: JsonNode[] = [scanJson(text, DUPLICATE_LEVELS)]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const key = duplicateKey(node)
    if (key !== undefined) return key
    for (const { value } of node.members ?? []) open.push(value)
    for (const item of node.items ?? []) open.push(item)
  }
  return undefined
}

function nameOf({ kind }: JsonNode): string {
  return kind === 'null' ? 'null' : `${kind === 'array' ? 'an' : 'a'} ${kind}`
}
