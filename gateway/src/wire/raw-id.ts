import { decodeString } from '@callgate/core/wire'
import type { JsonNode } from '@callgate/core/wire'

/** A JSON-RPC id: its text as it came, and a key that is equal where a parser that rounds numbers sees equal ids. */
export type RawId = { readonly text: string; readonly key: string }

/** Begins every id that the gateway gives to a request of its own. */
export const OWN_ID_PREFIX = 'callgate:'

/** The id that a node spells; undefined where it is neither string nor number. Progress tokens are ids too. */
export function readRawId(text: string, node: JsonNode | undefined): RawId | undefined {
  if (node?.kind === 'string') return { text: text.slice(node.start, node.end), key: idKey(decodeString(text, node)) }
  if (node?.kind !== 'number') return undefined
  const raw = text.slice(node.start, node.end)
  return { text: raw, key: `n${Number(raw)}` }
}

/** The key of a string id. */
export function idKey(id: string): string {
  return `s${id}`
}

/** Whether an id is one that only the gateway gives out. */
export function isOwnId(id: RawId): boolean {
  return id.key.startsWith(idKey(OWN_ID_PREFIX))
}
