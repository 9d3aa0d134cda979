import { decodeString, scanJson } from '@callgate/core/wire'
import type { JsonNode } from '@callgate/core/wire'
import { lastMember } from '../wire/read-message.ts'

/** One property of a tool's arguments that a header mirrors: `Mcp-Param-` and its name. */
export type ParamHeader = { readonly path: readonly string[]; readonly header: string }

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const KINDS: ReadonlySet<unknown> = new Set(['string', 'integer', 'number', 'boolean'])
const MAX_DEPTH = 64
const PREFIX = 'Mcp-Param-'
const BASE64 = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/

/** The headers that a tool's input schema declares (`x-mcp-header`), where it may: at named properties of one primitive type. */
export function readParamHeaders(inputSchema: unknown): readonly ParamHeader[] {
  const found: ParamHeader[] = []
  const visit = (schema: unknown, path: readonly string[]): void => {
    const properties = recordOf(recordOf(schema)?.['properties'])
    if (properties === undefined || path.length >= MAX_DEPTH) return
    for (const [key, child] of Object.entries(properties)) {
      const { 'x-mcp-header': name, type } = recordOf(child) ?? {}
      if (typeof name === 'string' && TOKEN.test(name) && KINDS.has(type)) found.push({ path: [...path, key], header: PREFIX + name })
      visit(child, [...path, key])
    }
  }
  visit(inputSchema, [])
  const names = found.map(({ header }) => header.toLowerCase())
  // Two properties under one name: no header could be both.
  return found.filter((_, index) => names.indexOf(names[index] ?? '') === names.lastIndexOf(names[index] ?? ''))
}

/** The value of each header for arguments as they stand in `text`; undefined where a value is absent, null or no primitive. */
export function paramValues(
  headers: readonly ParamHeader[],
  text: string,
  args: JsonNode | undefined,
): readonly (readonly [ParamHeader, string])[] {
  if (headers.length === 0 || args === undefined) return []
  const argsText = text.slice(args.start, args.end)
  const root = scanJson(argsText, Math.max(...headers.map(({ path }) => path.length)))
  return headers.flatMap((header): readonly (readonly [ParamHeader, string])[] => {
    const node = header.path.reduce<JsonNode | undefined>((at, key) => lastMember(at, key), root)
    const value = node === undefined ? undefined : primitiveText(argsText, node)
    return value === undefined ? [] : [[header, value]]
  })
}

/** A text as a header's value: as it is where a header can carry it, else in the protocol's base64 form. */
export function encodeHeader(value: string): string {
  const isPlain = /^[\t\x20-\x7e]+$/.test(value) && value === value.trim() && !BASE64.test(value)
  return isPlain ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`
}

/** The text that a header's value stands for; undefined where its base64 form is none. */
export function decodeHeader(value: string): string | undefined {
  if (!value.startsWith('=?base64?') || !value.endsWith('?=')) return value
  const encoded = BASE64.exec(value)?.[1]
  if (encoded === undefined) return undefined
  const bytes = Buffer.from(encoded, 'base64')
  const text = bytes.toString('utf8')
  return bytes.toString('base64') === encoded && Buffer.from(text).equals(bytes) ? text : undefined
}

/** As servers print it that parse the number: one that they would round has no header. */
function primitiveText(text: string, node: JsonNode): string | undefined {
  if (node.kind === 'string') return decodeString(text, node)
  const raw = text.slice(node.start, node.end)
  if (node.kind === 'boolean') return raw
  if (node.kind !== 'number') return undefined
  const value = Number(raw)
  return !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)) ? undefined : String(value)
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Readonly<Record<string, unknown>>) : undefined
}
