import { decodeString, scanJson } from '@callgate/core/wire'
import type { JsonNode } from '@callgate/core/wire'
import { lastMember } from '../../wire/read-message.ts'

/** One property of a tool's arguments that a header mirrors: `Mcp-Param-` and its name. */
export type ParamHeader = { readonly path: readonly string[]; readonly header: string }

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const KEY = 'x-mcp-header'
const KINDS: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean'])
/** Their values are data, in which a key means nothing. */
const DATA_KEYWORDS: ReadonlySet<string> = new Set(['default', 'const', 'enum', 'examples', 'required', KEY])
const MAX_DEPTH = 64
const PREFIX = 'Mcp-Param-'
const BASE64 = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/

/**
 * The headers that a tool's input schema declares (`x-mcp-header`); or, as a clause, what is wrong there: then the protocol
 * wants that nobody calls the tool. A declaration may stand at named properties of one primitive type, each name once.
 */
export function readParamHeaders(inputSchema: unknown): readonly ParamHeader[] | string {
  const found: ParamHeader[] = []
  const problems: string[] = []
  // One path a property: `undefined` where a schema is not reached by names alone, and may declare none.
  const visit = (schema: unknown, path: readonly string[] | undefined, depth: number): void => {
    if (depth > MAX_DEPTH) return void problems.push('its schema is nested too deep')
    if (Array.isArray(schema)) return schema.forEach((item) => visit(item, undefined, depth + 1))
    const fields = recordOf(schema)
    if (fields === undefined) return
    if (KEY in fields) take(fields, path)
    for (const [key, value] of Object.entries(fields)) {
      if (DATA_KEYWORDS.has(key)) continue
      if (key !== 'properties') visit(value, undefined, depth + 1)
      else for (const [name, child] of Object.entries(recordOf(value) ?? {})) visit(child, path && [...path, name], depth + 2)
    }
  }
  const take = (fields: Readonly<Record<string, unknown>>, path: readonly string[] | undefined): void => {
    const name = fields[KEY]
    const where = path === undefined || path.length === 0 ? 'a place that no property names' : path.join('.')
    if (path === undefined || path.length === 0) problems.push(`${KEY} stands in ${where}`)
    else if (typeof name !== 'string' || !TOKEN.test(name)) problems.push(`${KEY} of ${where} is no name of a header`)
    else if (!KINDS.has(fields['type'])) problems.push(`${KEY} of ${where} is not of one type that a header can carry`)
    else if (found.some(({ header }) => header.toLowerCase() === (PREFIX + name).toLowerCase())) problems.push(`two properties have the ${KEY} ${name}`)
    else found.push({ path, header: PREFIX + name })
  }
  visit(inputSchema, [], 0)
  return problems[0] ?? found
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
