import type { ToolAnnotations } from '@callgate/core'
import { decodeString, scanJson } from '@callgate/core/wire'
import type { JsonNode } from '@callgate/core/wire'
import { lastMember } from '../wire/read-message.ts'
import type { WireMessage } from '../wire/read-message.ts'

/** A tool as one page of the server's `tools/list` defines it; texts as they came. */
export type ListedTool = {
  readonly name: string
  readonly text: string
  readonly inputSchema?: string
  /** The hints that it gives of itself, as far as they are true or false. */
  readonly annotations?: ToolAnnotations
}

/** One page of a listing; `nextCursor` where there are more. */
export type ListingPage = { readonly tools: readonly ListedTool[]; readonly nextCursor?: string }

const PAGE_LEVELS = 4
const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const

/**
 * Reads an answer to `tools/list`; undefined where it is an error, no listing, or no UTF-8, in which two definitions could
 * not be told apart. A tool without a name is left out.
 */
export function readListing({ text, root, isLossy }: WireMessage & { readonly kind: 'response' }): ListingPage | undefined {
  if (isLossy === true) return undefined
  const result = lastMember(root, 'error') === undefined ? lastMember(root, 'result') : undefined
  if (result?.kind !== 'object') return undefined
  const resultText = text.slice(result.start, result.end)
  const page = scanJson(resultText, PAGE_LEVELS)
  const tools = lastMember(page, 'tools')
  if (tools?.kind !== 'array') return undefined
  const cursor = stringAt(resultText, page, 'nextCursor')
  return {
    tools: (tools.items ?? []).map((node) => readTool(resultText, node)).filter((tool) => tool !== undefined),
    ...(cursor !== undefined && { nextCursor: cursor }),
  }
}

/** What a client's `tools/list` asks for: its cursor, and whether by anything else than that. */
export function readListingRequest({ text, root }: WireMessage & { readonly kind: 'request' }): {
  readonly cursor?: string
  readonly isPlain: boolean
} {
  const params = lastMember(root, 'params')
  const cursor = stringAt(text, params, 'cursor')
  const isPlain = params?.members?.every(({ key }) => key === 'cursor' || key === '_meta') ?? true
  return { isPlain, ...(cursor !== undefined && { cursor }) }
}

function readTool(text: string, node: JsonNode): ListedTool | undefined {
  const name = stringAt(text, node, 'name')
  if (name === undefined) return undefined
  const schema = lastMember(node, 'inputSchema')
  return {
    name,
    text: text.slice(node.start, node.end),
    ...(schema !== undefined && { inputSchema: text.slice(schema.start, schema.end) }),
    ...annotationsOf(text, node),
  }
}

function annotationsOf(text: string, tool: JsonNode): { readonly annotations?: ToolAnnotations } {
  const annotations = lastMember(tool, 'annotations')
  if (annotations?.kind !== 'object') return {}
  const hints = HINTS.flatMap((hint): readonly (readonly [string, boolean])[] => {
    const value = lastMember(annotations, hint)
    const said = value === undefined ? '' : text.slice(value.start, value.end)
    return said === 'true' || said === 'false' ? [[hint, said === 'true']] : []
  })
  return { annotations: Object.fromEntries(hints) }
}

function stringAt(text: string, node: JsonNode | undefined, key: string): string | undefined {
  const value = lastMember(node, key)
  return value?.kind === 'string' ? decodeString(text, value) : undefined
}
