import { CallgateError } from './callgate-error.ts'

/** A value in a JSON text and where it stands: `[start, end)` in UTF-16 code units; `members` or `items` down to the depth asked for. */
export type JsonNode = {
  readonly kind: 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null'
  readonly start: number
  readonly end: number
  readonly members?: readonly JsonMember[]
  readonly items?: readonly JsonNode[]
}

/** A member of an object: its decoded key, where the key's quote stands, and its value. Duplicates are kept. */
export type JsonMember = { readonly key: string; readonly keyStart: number; readonly value: JsonNode }

const QUOTE = 0x22
const BACKSLASH = 0x5c
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const LITERALS = { t: 'true', f: 'false', n: 'null' } as const
const ESCAPE = /["\\/bfnrt]|u[0-9a-fA-F]{4}/y

/**
 * Reads one JSON text (RFC 8259, nothing before or after but white space) without losing a character of it.
 * Everything is validated; nodes are made for values nested at most `depth` levels (the outermost value is level 0).
 * Nesting costs no stack. Throws `invalid_json` with the offset.
 */
export function scanJson(text: string, depth: number): JsonNode {
  const root = scanValue(text, skipSpace(text, 0), depth)
  const after = skipSpace(text, root.end)
  if (after !== text.length) throw unexpected('unexpected text after the value', after)
  return root
}

/** The string that a node of kind `string` spells, escapes decoded; may hold lone surrogates. */
export function decodeString(text: string, node: JsonNode): string {
  return decode(text, node.start, node.end)
}

/** The value of an object's only member `key`, or undefined. */
export function memberOf(node: JsonNode | undefined, key: string): JsonNode | undefined {
  return node?.members?.find((member) => member.key === key)?.value
}

/** The first key that an object's members repeat, or undefined. */
export function duplicateKey(node: JsonNode): string | undefined {
  const seen = new Set<string>()
  for (const { key } of node.members ?? []) {
    if (seen.has(key)) return key
    seen.add(key)
  }
  return undefined
}

function scanValue(text: string, start: number, depth: number): JsonNode {
  switch (text[start]) {
    case '{':
      return depth > 0 ? scanObject(text, start, depth) : { kind: 'object', start, end: skipNested(text, start) }
    case '[':
      return depth > 0 ? scanArray(text, start, depth) : { kind: 'array', start, end: skipNested(text, start) }
    default:
      return scanScalar(text, start)
  }
}

function scanObject(text: string, start: number, depth: number): JsonNode {
  const members: JsonMember[] = []
  let at = skipSpace(text, start + 1)
  if (text[at] === '}') return { kind: 'object', start, end: at + 1, members }
  for (;;) {
    const keyEnd = skipString(text, at)
    const colon = skipSpace(text, keyEnd)
    if (text[colon] !== ':') throw unexpected("expected ':'", colon)
    const value = scanValue(text, skipSpace(text, colon + 1), depth - 1)
    members.push({ key: decode(text, at, keyEnd), keyStart: at, value })
    const next = skipSpace(text, value.end)
    if (text[next] === '}') return { kind: 'object', start, end: next + 1, members }
    if (text[next] !== ',') throw unexpected("expected ',' or '}'", next)
    at = skipSpace(text, next + 1)
  }
}

function scanArray(text: string, start: number, depth: number): JsonNode {
  const items: JsonNode[] = []
  let at = skipSpace(text, start + 1)
  if (text[at] === ']') return { kind: 'array', start, end: at + 1, items }
  for (;;) {
    const item = scanValue(text, at, depth - 1)
    items.push(item)
    const next = skipSpace(text, item.end)
    if (text[next] === ']') return { kind: 'array', start, end: next + 1, items }
    if (text[next] !== ',') throw unexpected("expected ',' or ']'", next)
    at = skipSpace(text, next + 1)
  }
}

/** The node of the string, number or literal that begins at `start`; throws `invalid_json` with the offset. */
export function scanScalar(text: string, start: number): JsonNode {
  const first = text[start]
  if (first === '"') return { kind: 'string', start, end: skipString(text, start) }
  if (first === 't' || first === 'f' || first === 'n') {
    const word = LITERALS[first]
    if (!text.startsWith(word, start)) throw unexpected('unknown literal', start)
    return { kind: first === 'n' ? 'null' : 'boolean', start, end: start + word.length }
  }
  NUMBER.lastIndex = start
  if (!NUMBER.test(text)) throw unexpected(start < text.length ? 'expected a value' : 'the text ends too soon', start)
  return { kind: 'number', start, end: NUMBER.lastIndex }
}

/** Validates a container without making nodes; an explicit stack of closers keeps hostile nesting off the call stack. */
function skipNested(text: string, start: number): number {
  const closers: string[] = []
  let at = start
  for (;;) {
    const opened = text[at] === '{' ? '}' : text[at] === '[' ? ']' : undefined
    if (opened === undefined) at = scanScalar(text, at).end
    else {
      closers.push(opened)
      const inner = skipSpace(text, at + 1)
      if (text[inner] !== opened) {
        at = opened === '}' ? skipKey(text, inner) : inner
        continue
      }
      closers.pop()
      at = inner + 1
    }
    for (;;) {
      const closer = closers.at(-1)
      if (closer === undefined) return at
      at = skipSpace(text, at)
      if (text[at] === ',') {
        at = skipSpace(text, at + 1)
        if (closer === '}') at = skipKey(text, at)
        break
      }
      if (text[at] !== closer) throw unexpected(`expected ',' or '${closer}'`, at)
      closers.pop()
      at += 1
    }
  }
}

function skipKey(text: string, start: number): number {
  const colon = skipSpace(text, skipString(text, start))
  if (text[colon] !== ':') throw unexpected("expected ':'", colon)
  return skipSpace(text, colon + 1)
}

/** The offset after the string that begins at `start`; throws `invalid_json` where it is none or does not end. */
export function skipString(text: string, start: number): number {
  if (text.charCodeAt(start) !== QUOTE) throw unexpected('expected a string', start)
  for (let at = start + 1; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit === QUOTE) return at + 1
    if (unit < 0x20) throw unexpected('control character in a string', at)
    if (unit === BACKSLASH) {
      ESCAPE.lastIndex = at + 1
      if (!ESCAPE.test(text)) throw unexpected('unknown escape', at)
      at = ESCAPE.lastIndex - 1
    }
  }
  throw unexpected('the text ends inside a string', text.length)
}

/** The offset of the first character at or after `start` that is no JSON white space. */
export function skipSpace(text: string, start: number): number {
  let at = start
  for (;;) {
    const unit = text.charCodeAt(at)
    if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return at
    at += 1
  }
}

function decode(text: string, start: number, end: number): string {
  const inner = text.slice(start + 1, end - 1)
  return inner.includes('\\') ? (JSON.parse(text.slice(start, end)) as string) : inner
}

/** The error for text that is no JSON: what was found or wanted, and at which UTF-16 offset. */
export function unexpected(what: string, offset: number): CallgateError {
  return new CallgateError('invalid_json', `Not JSON: ${what} at offset ${offset}.`)
}
