import { sha256Hex } from '@callgate/core'
import type { AttemptSchema, ToolAnnotations } from '@callgate/core'
import type { ListedTool } from './read-listing.ts'
import type { ToolTyping } from './tool-typing.ts'

/**
 * What a call is judged with: the digest of the tool's definition, its schema where arguments are looked at, what the server
 * says of it; or that the server does not list it.
 */
export type ToolTerms = {
  readonly definition?: string
  readonly schema?: AttemptSchema
  readonly annotations?: ToolAnnotations
  readonly isListed?: false
}

/** Reads a tool's terms, once a listing. */
export type TermsReader = (tool: ListedTool) => ToolTerms

/** Makes the reader, which throws what `typing` throws; without typing no schema is read. */
export function createTermsReader(typing: ToolTyping | undefined): TermsReader {
  const known = new WeakMap<ListedTool, ToolTerms>()
  return (tool) => {
    const terms = known.get(tool) ?? readTerms(tool, typing)
    known.set(tool, terms)
    return terms
  }
}

function readTerms(tool: ListedTool, typing: ToolTyping | undefined): ToolTerms {
  const definition = sha256Hex(tool.text)
  const schema = typing?.schemaOf(tool, definition)
  const { annotations } = tool
  return { definition, ...(schema !== undefined && { schema }), ...(annotations !== undefined && { annotations }) }
}
