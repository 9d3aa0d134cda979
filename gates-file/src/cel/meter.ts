/** The most work of one evaluation. A unit is about what it takes to read a character. */
const MAX_WORK = 64_000_000
/** What a value costs that is looked at or kept. */
export const VALUE_COST = 8
/** What a value costs that goes out of an expression. */
export const KEPT_COST = 20
// What is thrown and caught again costs far more than what goes well.
const FAILURE_COST = 500
/** So many characters are compared, or found not to be there, for the cost of one that is read. */
export const COMPARED_A_COST = 16

/** The work of one evaluation. All but `begin` and `weigh` throw once there is none left, and from then on always. */
export type Meter = {
  /** Starts anew. */
  begin(): void
  /** Uses up so much. */
  spend(work: number): void
  /** Uses up what the error costs, once for each error; returns the error that goes on. */
  fail(cause: unknown): unknown
  /** What it costs to compare all of a value. */
  weigh(value: unknown): number
  /** Throws where all was used up, even if the expression went on without. */
  end(): void
}

/** Makes a meter. */
export function createMeter(): Meter {
  let left = 0
  let last: unknown
  let spent: Error | undefined
  let weights = new WeakMap<object, number>()
  const weigh = (value: unknown): number => {
    if (typeof value === 'string') return value.length / COMPARED_A_COST
    if (typeof value !== 'object' || value === null) return 1
    const known = weights.get(value)
    if (known !== undefined) return known
    let weight = VALUE_COST
    for (const item of itemsOf(value)) weight += weigh(item) + 1
    weights.set(value, weight)
    return weight
  }
  const spend = (work: number): void => {
    left -= work
    if (left >= 0) return
    // The same one each time: what is thrown costs more than the step that throws it.
    spent ??= new Error(`the expression takes more than ${MAX_WORK} units of work; make it look at less`)
    throw spent
  }
  return {
    begin() {
      left = MAX_WORK
      last = undefined
      spent = undefined
      weights = new WeakMap()
    },
    spend,
    fail(cause) {
      if (spent !== undefined) return spent
      if (cause === last) return cause
      last = cause
      left -= FAILURE_COST
      return cause
    },
    weigh,
    end() {
      if (spent !== undefined) throw spent
    },
  }
}

function itemsOf(value: object): Iterable<unknown> {
  if (value instanceof Map) return [...value.keys(), ...value.values()]
  if (Array.isArray(value) || value instanceof Set) return value as Iterable<unknown>
  return ArrayBuffer.isView(value) ? [value.byteLength] : Object.entries(value).flat()
}
