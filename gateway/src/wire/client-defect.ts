import { duplicateKey } from '@callgate/core/wire'
import type { JsonNode } from '@callgate/core/wire'
import { isOwnId, OWN_ID_PREFIX } from './raw-id.ts'
import type { RawId } from './raw-id.ts'
import { INVALID_REQUEST, lastMember } from './read-message.ts'
import type { Invalid, WireMessage } from './read-message.ts'

const ENVELOPE: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error'])
const CALL_PARAMS: ReadonlySet<string> = new Set(['name', 'arguments', '_meta'])
const CR = '\r'

/** Why a message of the client must not go on, where two readers could read it differently; else undefined. */
export function clientDefect(message: Exclude<WireMessage, Invalid | { readonly kind: 'blank' }>): Invalid | undefined {
  if (message.kind === 'batch') return invalid('A batch is not accepted: send each message on a line of its own.')
  const { text, root } = message
  const isCall = message.kind !== 'response' && message.method === 'tools/call'
  const why =
    strayReturn(text) ??
    repeated(root, 'the message') ??
    misspelt(root, ENVELOPE, 'the message') ??
    repeated(lastMember(root, 'params'), 'params') ??
    (isCall ? misspelt(lastMember(root, 'params'), CALL_PARAMS, 'params') : undefined) ??
    (message.kind === 'request' && isOwnId(message.id)
      ? `Ids that begin with "${OWN_ID_PREFIX}" are the gateway's own.`
      : undefined)
  if (why === undefined) return undefined
  // An id that stands twice, or once more in other letters, names nobody.
  return invalid(why, message.kind === 'request' && isIdPlain(root) ? message.id : undefined)
}

/** Letters as the most lenient decoders compare them: compatibility forms and case are one. */
export function foldKey(key: string): string {
  return key.normalize('NFKC').toLowerCase()
}

/** Servers that read lines as text end one at a CR too, and JSON allows CR between any two tokens: a message in a message. */
function strayReturn(text: string): string | undefined {
  const at = text.indexOf(CR)
  return at === -1 || at === text.length - 2 ? undefined : 'A carriage return inside the message could be read as its end.'
}

function repeated(node: JsonNode | undefined, where: string): string | undefined {
  const key = node === undefined ? undefined : duplicateKey(node)
  return key === undefined ? undefined : `The key ${JSON.stringify(key)} stands twice in ${where}.`
}

function misspelt(node: JsonNode | undefined, names: ReadonlySet<string>, where: string): string | undefined {
  const stray = node?.members?.find(({ key }) => !names.has(key) && names.has(foldKey(key)))
  return stray === undefined
    ? undefined
    : `The key ${JSON.stringify(stray.key)} in ${where} differs from "${foldKey(stray.key)}" only in its letters' form.`
}

function isIdPlain(root: JsonNode): boolean {
  return (root.members ?? []).filter(({ key }) => foldKey(key) === 'id').length === 1
}

function invalid(why: string, id?: RawId): Invalid {
  return { kind: 'invalid', code: INVALID_REQUEST, why, ...(id !== undefined && { id }) }
}
