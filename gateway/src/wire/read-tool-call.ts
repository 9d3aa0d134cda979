import { decodeString, scanJson } from '@callgate/core/wire'
import type { JsonMember, JsonNode } from '@callgate/core/wire'
import { readRawId } from './raw-id.ts'
import type { RawId } from './raw-id.ts'
import { lastMember } from './read-message.ts'
import { REQUEST_NAMES } from './request-names.ts'
import type { Invalid, WireMessage } from './read-message.ts'

/** JSON-RPC's code for a method's parameters that do not fit it. */
const INVALID_PARAMS = -32_602

/** A `tools/call` request as it stands in its line. */
export type ToolCallMessage = {
  readonly id: RawId
  /** The raw bytes, LF included, and their text. */
  readonly line: Buffer
  readonly text: string
  readonly name: string
  /** Where the arguments stand in `text`; absent where the call has none. May be no object. */
  readonly args?: JsonNode
  readonly progressToken?: RawId
  /** The text of `params._meta` without what names the request, where it names a protocol version: a request of the modern kind. */
  readonly modernMeta?: string
  /** Whether a result must say `resultType`. */
  readonly needsResultType: boolean
  /** JSON text of an object: all that is sent beside the arguments and that an approval is bound to; empty where nothing is. */
  readonly beside: string
}

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'
const FIRST_WITH_RESULT_TYPE = '2026-07-28'
const REVISION = /^\d{4}-\d{2}-\d{2}$/
/** The name is bound by itself, the arguments are too, and the others are the protocol's own retry fields (contract 10). */
const NOT_BESIDE: ReadonlySet<string> = new Set(['name', 'arguments', 'inputResponses', 'requestState'])

/** Reads a `tools/call` request that has no defect; `invalid` where it names no tool. */
export function readToolCall(message: WireMessage & { readonly kind: 'request' }, line: Buffer): ToolCallMessage | Invalid {
  const { text, root, id } = message
  const params = lastMember(root, 'params')
  if (params?.kind !== 'object') return invalidParams('A tools/call needs params that are an object.', id)
  const name = lastMember(params, 'name')
  if (name?.kind !== 'string') return invalidParams('A tools/call needs a name that is a string.', id)
  const args = lastMember(params, 'arguments')
  const meta = readMeta(text, lastMember(params, '_meta'))
  return {
    id,
    line,
    text,
    name: decodeString(text, name),
    ...(args !== undefined && { args }),
    ...(meta.progressToken !== undefined && { progressToken: meta.progressToken }),
    ...(meta.version !== undefined && { modernMeta: meta.beside }),
    needsResultType: meta.version !== undefined && REVISION.test(meta.version) && meta.version >= FIRST_WITH_RESULT_TYPE,
    beside: besideText(text, params, meta.beside),
  }
}

type Meta = { readonly beside: string; readonly progressToken?: RawId; readonly version?: string }

function readMeta(text: string, node: JsonNode | undefined): Meta {
  if (node === undefined) return { beside: '' }
  const metaText = text.slice(node.start, node.end)
  if (node.kind !== 'object') return { beside: metaText }
  const root = scanJson(metaText, 1)
  const token = readRawId(metaText, lastMember(root, 'progressToken'))
  const version = lastMember(root, VERSION_KEY)
  return {
    beside: objectText(
      (root.members ?? []).filter(({ key }) => !REQUEST_NAMES.has(key)).map((member) => memberText(metaText, member)),
    ),
    ...(token !== undefined && { progressToken: token }),
    ...(version?.kind === 'string' && { version: decodeString(metaText, version) }),
  }
}

function besideText(text: string, params: JsonNode, meta: string): string {
  const kept = (params.members ?? [])
    .filter(({ key }) => key !== '_meta' && !NOT_BESIDE.has(key))
    .map((member) => memberText(text, member))
  return objectText(meta === '' ? kept : [...kept, `"_meta":${meta}`])
}

function memberText(text: string, { keyStart, value }: JsonMember): string {
  return text.slice(keyStart, value.end)
}

/** No members leave an empty text, so that an empty `_meta` binds no more than none. */
function objectText(members: readonly string[]): string {
  return members.length === 0 ? '' : `{${members.join(',')}}`
}

function invalidParams(why: string, id: RawId): Invalid {
  return { kind: 'invalid', code: INVALID_PARAMS, why, id }
}
