import { CallgateError } from './callgate-error.ts'
import { isWellFormed, setOwn } from './json-shape.ts'
import type { JsonValue } from './json-value.ts'
import { formatPointer } from './pointer.ts'
import { openContainer } from './open-container.ts'
import type { Container } from './open-container.ts'
import { WireNumber } from './wire-number.ts'

/**
 * What a value may spell out to, in characters, shared parts counted each time and an array or object as 48 (for what it
 * takes to hold it): the bound on a few lists that share one another into endlessness.
 */
export const LARGEST_TEXT: number = 2 ** 26

/** How deep a value may be: the bound on what has no end, as a proxy that answers with proxies. */
const MOST_LEVELS = 1_000_000

const CONTAINER_WEIGHT = 48

type Copied = { readonly value: JsonValue; readonly weight: number }
type Frame = { readonly source: object; readonly container: Container; readonly copies: JsonValue[]; weight: number }

/**
 * A deep-frozen copy of an exact value (contract 2) that shares nothing with it; each property is read once.
 * Nesting costs no stack, and size is no failure up to `LARGEST_TEXT` and a million levels. Throws `inexact_candidate`, naming where and what.
 */
export function exactCopy(value: unknown): JsonValue {
  const open: Frame[] = []
  const seen = new Map<object, Copied | 'open'>()
  let copied = begin(value, open, seen)
  for (;;) {
    const frame = open.at(-1)
    if (frame === undefined) return (copied as Copied).value
    if (copied !== undefined) add(frame, copied, open)
    if (frame.copies.length < frame.container.values.length) copied = begin(frame.container.values[frame.copies.length], open, seen)
    else {
      copied = { value: close(frame), weight: frame.weight }
      seen.set(frame.source, copied)
      open.pop()
    }
  }
}

/** The copy of a value that is done at once; undefined where a container was opened. */
function begin(value: unknown, open: Frame[], seen: Map<object, Copied | 'open'>): Copied | undefined {
  if (typeof value !== 'object' || value === null) return copyScalar(value, open)
  if (WireNumber.isWireNumber(value)) return { value, weight: value.text.length }
  const known = seen.get(value)
  if (known === 'open') throw inexact(open, 'is a cycle')
  if (known !== undefined) return known
  if (open.length === MOST_LEVELS) throw inexact(open, `is nested deeper than ${MOST_LEVELS} levels`)
  const container = openContainer(value)
  if (container.kind === 'fault') throw inexact(open, container.what, container.key, container.cause)
  seen.set(value, 'open')
  open.push({ source: value, container, copies: [], weight: CONTAINER_WEIGHT })
  return undefined
}

function copyScalar(value: unknown, open: readonly Frame[]): Copied {
  switch (typeof value) {
    case 'string':
      if (!isWellFormed(value)) throw inexact(open, 'holds a lone surrogate')
      return { value, weight: value.length + 2 }
    case 'number':
      if (!Number.isFinite(value)) throw inexact(open, `is ${value}`)
      if (Object.is(value, -0)) throw inexact(open, 'is -0')
      return { value, weight: 4 }
    case 'bigint':
      if (isSafe(value)) throw inexact(open, `is ${value}n, a bigint inside the safe range: use the number`)
      return { value, weight: value.toString(16).length }
    case 'boolean':
      return { value, weight: 4 }
    case 'object':
      return { value: null, weight: 4 }
    case 'undefined':
      throw inexact(open, 'is undefined')
    default:
      throw inexact(open, `is a ${typeof value}`)
  }
}

function isSafe(value: bigint): boolean {
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)
}

function add(frame: Frame, copied: Copied, open: readonly Frame[]): void {
  const key = frame.container.kind === 'object' ? (frame.container.keys[frame.copies.length] as string).length + 3 : 1
  frame.weight += copied.weight + key
  if (frame.weight > LARGEST_TEXT) throw inexact(open, `spells out to more than ${LARGEST_TEXT} characters`)
  frame.copies.push(copied.value)
}

function close({ container, copies }: Frame): JsonValue {
  if (container.kind === 'array') return Object.freeze(copies)
  const object: Record<string, JsonValue> = {}
  for (let at = 0; at < copies.length; at += 1) setOwn(object, container.keys[at] as string, copies[at] as JsonValue)
  return Object.freeze(object)
}

const SHOWN_TOKENS = 32
const SHOWN_PATH = 200

function inexact(open: readonly Frame[], what: string, key?: string, cause?: unknown): CallgateError {
  const tokens = open.slice(0, SHOWN_TOKENS).map((frame) => frame.container.keys[frame.copies.length] ?? String(frame.copies.length))
  const path = formatPointer(key === undefined || open.length > SHOWN_TOKENS ? tokens : [...tokens, key])
  const shown = path.length > SHOWN_PATH || open.length > SHOWN_TOKENS ? `${path.slice(0, SHOWN_PATH)}…` : path
  const rule = 'only exact JSON values are admitted: strings, finite numbers, booleans, null, plain arrays and plain objects'
  return new CallgateError('inexact_candidate', `${shown === '' ? 'The value' : shown} ${what}; ${rule}.`, cause === undefined ? {} : { cause })
}
