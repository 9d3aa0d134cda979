import { CallgateError, isCallgateError } from './callgate-error.ts'
import { readDecimal } from './decimal.ts'
import { LARGEST_TEXT } from './exact-copy.ts'
import { isWellFormed } from './json-shape.ts'
import { decodeString, scanScalar, skipSpace, skipString, unexpected } from './json-text.ts'
import type { JsonNode } from './json-text.ts'
import type { JsonValue } from './json-value.ts'
import { formatPointer } from './pointer.ts'
import { WireNumber } from './wire-number.ts'

type Open =
  | { readonly kind: 'array'; readonly items: JsonValue[] }
  | { readonly kind: 'object'; readonly members: Map<string, JsonValue>; key: string }

type Reader = { readonly text: string; readonly root: string; readonly open: Open[]; at: number; printed: number }

/**
 * The exact value that a JSON text spells (contract 2), frozen: no number is rounded, nesting costs no stack.
 * Throws `inexact_candidate`: for a syntax error (its `cause`), a duplicate key, a lone surrogate, a number without a double;
 * `root` is the pointer that the message begins with.
 */
export function parseWire(text: string, root: string): JsonValue {
  const reader: Reader = { text, root, open: [], at: 0, printed: text.length }
  try {
    return readText(reader)
  } catch (cause) {
    if (!isCallgateError(cause) || cause.code !== 'invalid_json') throw cause
    throw new CallgateError('inexact_candidate', `${pathOf(reader)}: ${cause.message}`, { cause })
  }
}

function readText(reader: Reader): JsonValue {
  skip(reader)
  for (;;) {
    let done = readValue(reader)
    while (done !== undefined) {
      skip(reader)
      const frame = reader.open.at(-1)
      if (frame === undefined) {
        if (reader.at !== reader.text.length) throw unexpected('unexpected text after the value', reader.at)
        return done
      }
      done = addTo(frame, done, reader)
    }
  }
}

/** The value that is complete here; undefined where a container was opened and its first value comes next. */
function readValue(reader: Reader): JsonValue | undefined {
  const { text, at, open } = reader
  const opened = text[at]
  if (opened !== '{' && opened !== '[') return readScalar(reader)
  reader.at += 1
  skip(reader)
  const isEmpty = text[reader.at] === (opened === '{' ? '}' : ']')
  if (isEmpty) {
    reader.at += 1
    return Object.freeze(opened === '{' ? {} : [])
  }
  if (opened === '[') open.push({ kind: 'array', items: [] })
  else {
    const frame: Open = { kind: 'object', members: new Map(), key: '' }
    open.push(frame)
    readKey(frame, reader)
  }
  return undefined
}

/** Adds a complete value to the container it stands in; the container, frozen, where it ends here. */
function addTo(frame: Open, value: JsonValue, reader: Reader): JsonValue | undefined {
  const closer = frame.kind === 'array' ? ']' : '}'
  if (frame.kind === 'array') frame.items.push(value)
  else frame.members.set(frame.key, value)
  const next = reader.text[reader.at]
  if (next !== ',' && next !== closer) throw unexpected(`expected ',' or '${closer}'`, reader.at)
  reader.at += 1
  if (next === closer) {
    reader.open.pop()
    return Object.freeze(frame.kind === 'array' ? frame.items : Object.fromEntries(frame.members))
  }
  skip(reader)
  if (frame.kind === 'object') readKey(frame, reader)
  return undefined
}

function readKey(frame: Extract<Open, { kind: 'object' }>, reader: Reader): void {
  const start = reader.at
  reader.at = skipString(reader.text, start)
  const key = decodeString(reader.text, { kind: 'string', start, end: reader.at })
  skip(reader)
  if (reader.text[reader.at] !== ':') throw unexpected("expected ':'", reader.at)
  reader.at += 1
  skip(reader)
  const isKnown = frame.members.has(key)
  frame.key = key
  if (isKnown) throw inexact(reader, 'is there twice')
  if (!isWellFormed(key)) throw inexact(reader, 'has a lone surrogate in its name')
}

function readScalar(reader: Reader): JsonValue {
  const node = scanScalar(reader.text, reader.at)
  reader.at = node.end
  switch (node.kind) {
    case 'string': {
      const value = decodeString(reader.text, node)
      if (!isWellFormed(value)) throw inexact(reader, 'holds a lone surrogate')
      return value
    }
    case 'number':
      return readNumber(node, reader)
    case 'boolean':
      return node.end - node.start === 4
    default:
      return null
  }
}

function readNumber(node: JsonNode, reader: Reader): JsonValue {
  const text = reader.text.slice(node.start, node.end)
  const read = readDecimal(text)
  if (read === undefined || read.kind === 'none') throw inexact(reader, `is ${cut(text)}, which no double comes near`)
  if (read.kind === 'text') return new WireNumber(text, read.value)
  // `1e308` is five characters here and 309 in canonical JSON.
  if (read.kind === 'bigint') reader.printed += 309
  if (reader.printed > LARGEST_TEXT) throw inexact(reader, `spells out, with all before it, to more than ${LARGEST_TEXT} characters`)
  return read.value
}

function skip(reader: Reader): void {
  reader.at = skipSpace(reader.text, reader.at)
}

const SHOWN_TOKENS = 32
const SHOWN_CHARACTERS = 200

function pathOf(reader: Reader): string {
  const tokens = reader.open.slice(0, SHOWN_TOKENS).map((frame) => (frame.kind === 'array' ? String(frame.items.length) : frame.key))
  return cut(`${reader.root}${formatPointer(tokens)}`)
}

function cut(text: string): string {
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text
}

function inexact(reader: Reader, what: string): CallgateError {
  return new CallgateError('inexact_candidate', `${pathOf(reader)} ${what}; only exact JSON values are admitted.`)
}
