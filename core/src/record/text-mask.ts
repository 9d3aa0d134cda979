import { foldCase } from './fold-case.ts'
import { createFormSearch } from './form-search.ts'
import type { FormSearch } from './form-search.ts'
import { formsOf } from './value-forms.ts'

const HIDDEN = '(not shown)'
/** Beyond so many texts and numbers no text of the call is shown at all. */
export const MOST_VALUES: number = 100
/** Characters looked at, form by form, for one call: a tenth of a second. Beyond them no text is shown. */
const MOST_WORK = 2 ** 25
/** So many characters are passed over in the time in which one is looked at. */
const QUICK = 16
/** A character as JSON may spell it, in a text in a text too. */
const ESCAPE = /\\u([0-9a-f]{4})/giu

/**
 * Makes what hides scalars in texts: in any letter case, as they are, as JSON escapes them and as `reveal` shows them, in a
 * number's other spellings, and where they were cut short too. A text that spells one by JSON's escapes, and what would take
 * too much work, is hidden as a whole.
 */
export function createTextMask(scalars: ReadonlySet<string>): (text: string) => string {
  if (scalars.size > MOST_VALUES) return () => HIDDEN
  const searches = [...new Set([...scalars].flatMap(formsOf))].filter((form) => form !== '').map(createFormSearch)
  let work = searches.reduce((sum, { length }) => sum + length, 0)
  const hide = (text: string): string => {
    work += (text.length * searches.length) / QUICK
    if (work > MOST_WORK) return HIDDEN
    const folded = foldCase(text)
    const found = searches.filter((search) => search.mayStandIn(folded))
    work += text.length * found.length
    if (work > MOST_WORK) return HIDDEN
    return found.length === 0 ? text : hideFound(text, folded, found)
  }
  return (text) => {
    const shown = hide(text)
    const unescaped = shown.replaceAll(ESCAPE, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
    // Where in the text the value stands is not told by the unescaped one.
    return unescaped === shown || hide(unescaped) === unescaped ? shown : HIDDEN
  }
}

function hideFound(text: string, folded: string, searches: readonly FormSearch[]): string {
  const isHidden = new Uint8Array(text.length)
  for (const search of searches) {
    let reached = 0
    search.find(text, folded, (start, end) => {
      isHidden.fill(1, Math.max(start, reached), end)
      reached = end
    })
  }
  let shown = ''
  for (let at = 0; at < text.length; ) {
    const start = at
    const isHere = isHidden[at]
    while (at < text.length && isHidden[at] === isHere) at += 1
    shown += isHere === 1 ? HIDDEN : text.slice(start, at)
  }
  return shown
}
