import { sha256Hex } from '@callgate/core'
import type { RawId } from '../wire/raw-id.ts'

/** The ids of a connection's requests, answered or not: an answer that comes twice, or late, must find no other call. */
export type UsedIds = {
  add(id: RawId): void
  /** Why a call may not bear an id, as a sentence; undefined where it is surely new. */
  objection(id: RawId): string | undefined
}

/** How many ids that are no integers, and how many separate runs of integers, are told apart. */
const MAX_TOLD_APART = 100_000
const MAX_KEY_LENGTH = 64
const MAX_SHOWN_LENGTH = 100

/**
 * Makes an empty memory. Integers are kept as runs; beyond `bound` runs the gap between the lowest two counts as used.
 * Beyond `bound` other ids every one counts as used. So doubt refuses, and a client that counts upwards never meets it.
 */
export function createUsedIds(bound: number = MAX_TOLD_APART): UsedIds {
  const runs = createRuns(bound)
  const others = new Set<string>()

  return {
    add(id) {
      const integer = integerOf(id)
      if (integer !== undefined) runs.add(integer)
      else if (others.size < bound) others.add(shortKey(id))
    },
    objection(id) {
      const integer = integerOf(id)
      if (integer === undefined ? others.has(shortKey(id)) : runs.has(integer)) {
        return `The id ${shown(id)} is not new on this connection, so answers to it could be mistaken. Nothing was executed. Send the call under an id that was not used before.`
      }
      return integer === undefined && others.size >= bound
        ? `Whether the id ${shown(id)} is new is not known after ${bound} ids that are no integers. Nothing was executed. Number the requests, or connect anew.`
        : undefined
    },
  }
}

/** Ids are compared by their keys; a key of a safe integer is its decimal text. */
function integerOf({ key }: RawId): number | undefined {
  const value = key.startsWith('n') ? Number(key.slice(1)) : undefined
  return Number.isSafeInteger(value) ? value : undefined
}

function shortKey({ key }: RawId): string {
  return key.length > MAX_KEY_LENGTH ? `#${sha256Hex(key.toWellFormed())}` : key
}

function shown({ text }: RawId): string {
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text
}

type Runs = { add(integer: number): void; has(integer: number): boolean }

/** Integers as runs without gaps, in order. */
function createRuns(bound: number): Runs {
  const runs: { from: number; to: number }[] = []

  /** The place of the last run that begins at or below an integer; -1 where there is none. */
  const placeOf = (integer: number): number => {
    let low = -1
    for (let high = runs.length - 1; low < high;) {
      const middle = Math.ceil((low + high) / 2)
      if ((runs[middle]?.from ?? Infinity) <= integer) low = middle
      else high = middle - 1
    }
    return low
  }
  const insert = (place: number, integer: number): void => {
    runs.splice(place, 0, { from: integer, to: integer })
    const [lowest, second] = runs
    if (runs.length <= bound || lowest === undefined || second === undefined) return
    second.from = lowest.from
    runs.shift()
  }

  return {
    has(integer) {
      return (runs[placeOf(integer)]?.to ?? -Infinity) >= integer
    },
    add(integer) {
      const place = placeOf(integer)
      const below = runs[place]
      const above = runs[place + 1]
      if (below !== undefined && below.to >= integer) return
      if (below?.to === integer - 1) {
        below.to = above?.from === integer + 1 ? above.to : integer
        if (below.to > integer) runs.splice(place + 1, 1)
      } else if (above?.from === integer + 1) above.from = integer
      else insert(place + 1, integer)
    },
  }
}
