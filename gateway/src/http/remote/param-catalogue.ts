import { readListing } from '../../calls/read-listing.ts'
import { lastMember, readMessage } from '../../wire/read-message.ts'
import type { WireMessage } from '../../wire/read-message.ts'
import type { ModernHead } from '../message-head.ts'
import { encodeHeader, paramValues, readParamHeaders } from './param-headers.ts'
import type { ParamHeader } from './param-headers.ts'

/** Which arguments of which tools a header mirrors, as the server's listings say. */
export type ParamCatalogue = {
  /** Takes an answer to `tools/list`. */
  learn(line: Buffer): void
  /**
   * The headers of a call, from the arguments as they are sent; none for any other message. A text says, as a sentence, why
   * the tool may not be called.
   */
  headersFor(message: WireMessage, head: ModernHead): Readonly<Record<string, string>> | string
}

const MAX_TOOLS = 10_000

/** Makes an empty catalogue; beyond 10,000 tools it learns no new one. */
export function createParamCatalogue(): ParamCatalogue {
  const known = new Map<string, readonly ParamHeader[] | string>()
  return {
    learn(line) {
      const message = readMessage(line)
      const tools = message.kind === 'response' ? (readListing(message)?.tools ?? []) : []
      for (const { name, inputSchema } of tools) {
        const headers = inputSchema?.includes('x-mcp-header') === true ? readParamHeaders(JSON.parse(inputSchema)) : []
        if (headers.length === 0) known.delete(name)
        else if (known.size < MAX_TOOLS || known.has(name)) known.set(name, headers)
      }
    },
    headersFor(message, { method, name }) {
      const headers = method === 'tools/call' && name !== undefined ? known.get(name) : undefined
      if (headers === undefined || message.kind !== 'request') return {}
      if (typeof headers === 'string') return `The server declares headers of its tool ${JSON.stringify(name)} wrongly: ${headers}.`
      const args = lastMember(lastMember(message.root, 'params'), 'arguments')
      const values = paramValues(headers, message.text, args)
      return Object.fromEntries(values.map(([{ header }, value]) => [header, encodeHeader(value)]))
    },
  }
}
