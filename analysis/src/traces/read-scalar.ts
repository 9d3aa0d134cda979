import { WireNumber } from '@callgate/core'

/** The first of the values that is text, or undefined. */
export function firstText(...values: readonly unknown[]): string | undefined {
  return values.find((value) => typeof value === 'string')
}

/**
 * When something happened, in whole milliseconds since the epoch: from a date as text, nanoseconds as digits, a pair of seconds
 * and nanoseconds, or a number of milliseconds. Undefined for anything else.
 */
export function readTime(value: unknown): number | undefined {
  if (typeof value === 'number') return inRange(value)
  if (WireNumber.isWireNumber(value)) return inRange(value.value)
  if (Array.isArray(value)) {
    const [seconds, nanos] = (value as readonly unknown[]).map((part) => (WireNumber.isWireNumber(part) ? part.value : part))
    return typeof seconds === 'number' && typeof nanos === 'number' ? inRange(seconds * 1_000 + nanos / 1e6) : undefined
  }
  if (typeof value !== 'string') return undefined
  return inRange(/^\d{1,20}$/.test(value) ? Number(value.slice(0, -6)) : Date.parse(value))
}

const MAX_TIME = 8.64e15

function inRange(time: number): number | undefined {
  return time >= 0 && time <= MAX_TIME ? Math.floor(time) : undefined
}
