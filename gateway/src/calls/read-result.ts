import { Candidate } from '@callgate/core'
import type { JsonObject, JsonValue, ToolReading } from '@callgate/core'
import { lastMember } from '../wire/read-message.ts'
import type { WireMessage } from '../wire/read-message.ts'

/**
 * What rules may read of an answer to `tools/call` (contract 9): its structured content, exact, and the text of its text
 * blocks, a line each. Nothing of a result that two readers could read in two ways: then it marks no keys.
 */
export function readResult({ text, root, isLossy }: WireMessage & { readonly kind: 'response' }): ToolReading {
  const node = lastMember(root, 'result')
  if (isLossy === true || node?.kind !== 'object') return {}
  const result = exactObject(text.slice(node.start, node.end))
  if (result === undefined) return {}
  const { structuredContent: structured, content } = result
  return {
    ...(structured !== undefined && structured !== null && { structured }),
    ...(Array.isArray(content) && { text: (content as readonly JsonValue[]).flatMap(textOf).join('\n') }),
  }
}

function exactObject(text: string): JsonObject | undefined {
  try {
    return Candidate.ofWire(text).fields['arguments'] as JsonObject
  } catch {
    return undefined
  }
}

function textOf(block: JsonValue): readonly string[] {
  if (typeof block !== 'object' || block === null || Array.isArray(block)) return []
  const { type, text } = block as JsonObject
  return type === 'text' && typeof text === 'string' ? [text] : []
}
