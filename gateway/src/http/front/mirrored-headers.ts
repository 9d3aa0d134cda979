import type { IncomingHttpHeaders } from 'node:http'
import { decodeString, scanJson } from '@callgate/core/wire'
import type { JsonNode } from '@callgate/core/wire'
import { lastMember } from '../../wire/read-message.ts'
import type { WireMessage } from '../../wire/read-message.ts'
import type { ModernHead } from '../message-head.ts'
import { FIRST_MODERN, nameOf } from '../message-head.ts'
import { decodeHeader } from '../remote/param-headers.ts'

const PARAM_PREFIX = 'mcp-param-'
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/
/** How deep in the arguments a mirrored value may stand. */
const LEVELS = 16

type Named = Extract<WireMessage, { readonly kind: 'request' | 'notification' }>

/**
 * Why the headers that repeat the message say something else than it (contract: two sources of truth are a way around a
 * gate); undefined where they agree. What the era without sessions wants of a request must be there. The gate itself only
 * ever reads the message.
 */
export function mirrorDefect(headers: IncomingHttpHeaders, message: Named, modern: ModernHead | undefined): string | undefined {
  const isStrict = modern !== undefined && message.kind === 'request'
  const version = single(headers, 'mcp-protocol-version')
  // A version of the era with sessions says nothing about one message: its session knows it.
  const isModernVersion = version !== undefined && version >= FIRST_MODERN
  return (
    (modern !== undefined || isModernVersion ? disagreement('MCP-Protocol-Version', version, modern?.version, isStrict) : undefined) ??
    disagreement('Mcp-Method', single(headers, 'mcp-method'), message.method, isStrict) ??
    disagreement('Mcp-Name', single(headers, 'mcp-name'), nameOf(message), isStrict) ??
    paramDefect(headers, message)
  )
}

function disagreement(header: string, sent: string | undefined, said: string | undefined, isWanted: boolean): string | undefined {
  if (sent === undefined) return isWanted && said !== undefined ? `The header ${header} is missing; the message says ${shown(said)}.` : undefined
  const decoded = decodeHeader(sent)
  if (decoded === undefined) return `The header ${header} is no text in base64.`
  if (decoded === said) return undefined
  return `The header ${header} says ${shown(decoded)}, and the message ${said === undefined ? 'does not say it' : `says ${shown(said)}`}.`
}

/** Which argument a header stands for is the tool's to say; a value that no argument has is forged whatever it says. */
function paramDefect(headers: IncomingHttpHeaders, { text, root }: Named): string | undefined {
  const sent = Object.keys(headers).filter((name) => name.startsWith(PARAM_PREFIX))
  if (sent.length === 0) return undefined
  const args = lastMember(lastMember(root, 'params'), 'arguments')
  const values = args === undefined ? new Set<string>() : primitivesIn(text.slice(args.start, args.end))
  for (const name of sent) {
    const value = decodeHeader(single(headers, name) ?? '')
    if (value === undefined || !(values.has(value) || (NUMBER.test(value) && values.has(String(Number(value)))))) return `The header ${name} says what no argument of the message says.`
  }
  return undefined
}

function primitivesIn(text: string): ReadonlySet<string> {
  const found = new Set<string>()
  const visit = (node: JsonNode): void => {
    for (const { value } of node.members ?? []) visit(value)
    for (const item of node.items ?? []) visit(item)
    const raw = text.slice(node.start, node.end)
    if (node.kind === 'string') found.add(decodeString(text, node))
    if (node.kind === 'number') found.add(String(Number(raw)))
    if (node.kind === 'boolean') found.add(raw)
  }
  visit(scanJson(text, LEVELS))
  return found
}

function single(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

function shown(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text)
}
