import { sha256Hex } from '@callgate/core'
import type { AttemptSchema } from '@callgate/core'
import type { ListedTool } from './read-listing.ts'
import type { ToolTyping } from './tool-typing.ts'

/** What a call of a listed tool is judged with: the digest of its definition, and its schema where arguments are typed. */
export type ToolTerms = { readonly definition: string; readonly schema?: AttemptSchema }

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
  return { definition, ...(schema !== undefined && { schema }) }
}
