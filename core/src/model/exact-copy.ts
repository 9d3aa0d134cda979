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
const SCALAR_WEIGHT = 4

type Copied = { readonly value: JsonValue; readonly weight: number }
type Frame = {
  readonly source: object
  readonly container: Container
  readonly copy: JsonValue[] | Record<string, JsonValue>
  /** The place of the child that is being copied. */
  next: number
  weight: number
}
type Walk = {
  /** The tokens that lead to the value. */
  readonly above: readonly string[]
  readonly open: Frame[]
  /** What was met so far, from the second container on: a flat value needs no memory. */
  seen: Map<object, Copied | 'open'> | undefined
}

const NOWHERE: readonly string[] = Object.freeze([])

/**
 * A deep-frozen copy of an exact value (contract 2) that shares nothing with it; each property is read once. Nesting costs no
 * stack, and size is no failure up to `LARGEST_TEXT` and a million levels. Throws `inexact_candidate`, naming where, below `above`, and what.
 */
export function exactCopy(value: unknown, above: readonly string[] = NOWHERE): JsonValue {
  const walk: Walk = { above, open: [], seen: undefined }
  if (!isContainer(value)) {
    weightOf(value, walk)
    return value as JsonValue
  }
  let frame = enter(value, walk)
  for (;;) {
    const inner = fill(frame, walk)
    if (inner !== undefined) {
      frame = enter(inner, walk)
      continue
    }
    const done: Copied = { value: Object.freeze(frame.copy) as JsonValue, weight: frame.weight }
    walk.seen?.set(frame.source, done)
    walk.open.pop()
    const outer = walk.open.at(-1)
    if (outer === undefined) return done.value
    add(outer, done.value, done.weight, walk)
    frame = outer
  }
}

/** Copies children until one must be opened first, which is returned; undefined once all are copied. */
function fill(frame: Frame, walk: Walk): object | undefined {
  const { values } = frame.container
  while (frame.next < values.length) {
    const child = values[frame.next]
    if (isContainer(child)) {
      const known = walk.seen === undefined && child === frame.source ? 'open' : walk.seen?.get(child)
      if (known === undefined) return child
      if (known === 'open') throw inexact(walk, 'is a cycle')
      add(frame, known.value, known.weight, walk)
    } else {
      add(frame, child as JsonValue, weightOf(child, walk), walk)
    }
  }
  return undefined
}

function enter(source: object, walk: Walk): Frame {
  const { open } = walk
  if (open.length === MOST_LEVELS) throw inexact(walk, `is nested deeper than ${MOST_LEVELS} levels`)
  const container = openContainer(source)
  if (container.kind === 'fault') throw inexact(walk, container.what, container.key, container.cause)
  const [outermost] = open
  if (outermost !== undefined) {
    walk.seen ??= new Map([[outermost.source, 'open']])
    walk.seen.set(source, 'open')
  }
  const frame: Frame = { source, container, copy: container.kind === 'array' ? [] : {}, next: 0, weight: CONTAINER_WEIGHT }
  open.push(frame)
  return frame
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !WireNumber.isWireNumber(value)
}

/** The characters that a value without children spells out to; throws where it is not exact. */
function weightOf(value: unknown, walk: Walk): number {
  switch (typeof value) {
    case 'string':
      if (!isWellFormed(value)) throw inexact(walk, 'holds a lone surrogate')
      return value.length + 2
    case 'number':
      if (!Number.isFinite(value)) throw inexact(walk, `is ${value}`)
      if (Object.is(value, -0)) throw inexact(walk, 'is -0')
      return SCALAR_WEIGHT
    case 'bigint':
      if (isSafe(value)) throw inexact(walk, `is ${value}n, a bigint inside the safe range: use the number`)
      return value.toString(16).length
    case 'boolean':
      return SCALAR_WEIGHT
    case 'object':
      return WireNumber.isWireNumber(value) ? value.text.length : SCALAR_WEIGHT
    case 'undefined':
      throw inexact(walk, 'is undefined')
    default:
      throw inexact(walk, `is a ${typeof value}`)
  }
}

function isSafe(value: bigint): boolean {
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)
}

function add(frame: Frame, value: JsonValue, weight: number, walk: Walk): void {
  const { copy, container, next } = frame
  if (Array.isArray(copy)) {
    frame.weight += weight + 1
    copy.push(value)
  } else {
    const key = container.keys[next] as string
    frame.weight += weight + key.length + 3
    setOwn(copy, key, value)
  }
  if (frame.weight > LARGEST_TEXT) throw inexact(walk, `spells out to more than ${LARGEST_TEXT} characters`)
  frame.next += 1
}

const SHOWN_TOKENS = 32
const SHOWN_PATH = 200

function inexact({ above, open }: Walk, what: string, key?: string, cause?: unknown): CallgateError {
  const below = open.slice(0, SHOWN_TOKENS).map((frame) => frame.container.keys[frame.next] ?? String(frame.next))
  const tokens = [...above, ...below]
  const path = formatPointer(key === undefined || open.length > SHOWN_TOKENS ? tokens : [...tokens, key])
  const shown = path.length > SHOWN_PATH || open.length > SHOWN_TOKENS ? `${path.slice(0, SHOWN_PATH)}…` : path
  const rule = 'only exact JSON values are admitted: strings, finite numbers, booleans, null, plain arrays and plain objects'
  return new CallgateError('inexact_candidate', `${shown === '' ? 'The value' : shown} ${what}; ${rule}.`, cause === undefined ? {} : { cause })
}
