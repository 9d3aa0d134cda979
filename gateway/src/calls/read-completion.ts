import type { Completion } from '@callgate/core'
import { decodeString } from '@callgate/core/wire'
import type { JsonNode } from '@callgate/core/wire'
import { lastMember } from '../wire/read-message.ts'
import type { WireMessage } from '../wire/read-message.ts'

/**
 * What an answer to `tools/call` says of its call; only a success marks gates (contract 9). In doubt it is no success:
 * an `isError` that is anything but false, a kind of result that is not known.
 */
export function readCompletion({ text, root }: WireMessage & { readonly kind: 'response' }): Completion {
  const result = lastMember(root, 'error') === undefined ? lastMember(root, 'result') : undefined
  if (result?.kind !== 'object') return 'failure'
  const members = result.members ?? []
  const isLiteral = (node: JsonNode, literal: string): boolean => text.slice(node.start, node.end) === literal
  if (members.some(({ key, value }) => key === 'isError' && !isLiteral(value, 'false'))) return 'failure'
  const isOpen = members.some(({ key, value }) => key === 'task' || (key === 'resultType' && !isComplete(text, value)))
  return isOpen ? 'incomplete' : 'success'
}

function isComplete(text: string, node: JsonNode): boolean {
  return node.kind === 'string' && decodeString(text, node) === 'complete'
}
