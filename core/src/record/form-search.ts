import { foldCase } from './fold-case.ts'

/** The sign of a text that was cut short. */
const CUT = '…'
const CUT_UNIT = CUT.charCodeAt(0)
/** What is shorter stands in every other word: only where it is quoted, or a word of its own, is it taken for the value. */
const SHORTEST = 4

/** Looks for one form of a value in texts that are folded by `foldCase`, in time linear in both. */
export type FormSearch = {
  /** How much work the first search is beyond the text, in characters. */
  readonly length: number
  /** False where neither the form nor a beginning of it before a cut can stand in the text. */
  mayStandIn(folded: string): boolean
  /** Tells of each place, from `start` to before `end`, in order: of the form, and of its beginning before the sign of a cut. */
  find(text: string, folded: string, hit: (start: number, end: number) => void): void
}

/** Makes the search for a form that is not empty. */
export function createFormSearch(form: string): FormSearch {
  const sought = foldCase(form)
  const beginning = sought.slice(0, SHORTEST)
  let back: Int32Array | undefined
  return {
    length: sought.length,
    mayStandIn: (folded) => (folded.length >= sought.length || folded.includes(CUT)) && folded.includes(beginning),
    find(text, folded, hit) {
      back ??= fallbacks(sought)
      let length = 0
      for (let at = 0; at < folded.length; at += 1) {
        const unit = folded.charCodeAt(at)
        if (unit === CUT_UNIT && length >= SHORTEST) hit(at - length, at)
        while (length > 0 && (length === sought.length || sought.charCodeAt(length) !== unit)) length = back[length - 1] as number
        if (sought.charCodeAt(length) === unit) length += 1
        if (length !== sought.length) continue
        const [start, end] = [at + 1 - length, at + 1]
        if (length >= SHORTEST || isOwnWord(text, start, end)) hit(start, end)
      }
    },
  }
}

/** For each length of a beginning the longest shorter beginning at its end (Knuth, Morris, Pratt). */
function fallbacks(sought: string): Int32Array {
  const back = new Int32Array(sought.length)
  for (let at = 1, length = 0; at < sought.length; at += 1) {
    while (length > 0 && sought.charCodeAt(length) !== sought.charCodeAt(at)) length = back[length - 1] as number
    if (sought.charCodeAt(length) === sought.charCodeAt(at)) length += 1
    back[at] = length
  }
  return back
}

function isOwnWord(text: string, start: number, end: number): boolean {
  return !/[\p{L}\p{N}.]$/u.test(text.slice(Math.max(0, start - 2), start)) && !/^(?:[\p{L}\p{N}]|\.\p{N})/u.test(text.slice(end, end + 3))
}
