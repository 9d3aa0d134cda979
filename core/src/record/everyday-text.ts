// All that JSON prints as it stands: no quote, no backslash, no control character, no surrogate.
const PLAIN_TEXT = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/

const MOST_LEVELS = 100
const MOST_CHARACTERS = 2 ** 20

/**
 * One printing of several values: how many characters are left of 2^20, and what kept the values from being everyday data:
 * something `unusual`, or that all together are `vast`, which may mean that they have no end.
 */
export type Printing = { left: number; fault: 'unusual' | 'vast' | undefined }

/** Begins a printing. */
export function beginPrinting(): Printing {
  return { left: MOST_CHARACTERS, fault: undefined }
}

/**
 * The canonical JSON of everyday data, checked and printed in one pass: well-formed text, booleans, null, safe integers and
 * fractions, in lists and plain objects, at most 100 levels deep. `parseEntry` reads what it prints and `canonicalJson` prints
 * that again unchanged. Where `printing` has a fault afterwards the text says nothing, and neither whether the value is exact.
 * Throws only what the value's own accessors throw.
 */
export function everydayText(value: unknown, printing: Printing, level = 0): string {
  switch (typeof value) {
    case 'string':
      return textOf(value, printing)
    case 'number':
      return isEveryday(value) ? String(value) : unusual(printing)
    case 'boolean':
      return value ? 'true' : 'false'
    case 'object':
      if (value === null) return 'null'
      printing.left -= 2
      if (level === MOST_LEVELS || printing.left < 0) return vast(printing)
      return Array.isArray(value) ? listText(value, printing, level + 1) : objectText(value, printing, level + 1)
    default:
      return unusual(printing)
  }
}

function textOf(text: string, printing: Printing): string {
  printing.left -= text.length
  if (PLAIN_TEXT.test(text)) return `"${text}"`
  return text.isWellFormed() ? JSON.stringify(text) : unusual(printing)
}

/** An integer beyond the safe range is read back from its text as a bigint, all digits written out. */
function isEveryday(value: number): boolean {
  return Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value))
}

function listText(list: readonly unknown[], printing: Printing, level: number): string {
  const { length } = list
  printing.left -= length
  if (printing.left < 0) return vast(printing)
  let text = '['
  for (let at = 0; at < length && printing.fault !== 'vast'; at += 1) {
    const item = everydayText(list[at], printing, level)
    text += at === 0 ? item : `,${item}`
  }
  return `${text}]`
}

function objectText(object: object, printing: Printing, level: number): string {
  const prototype: unknown = Object.getPrototypeOf(object)
  // It is printed all the same, so that what has no end is found in it.
  if (prototype !== Object.prototype && prototype !== null) unusual(printing)
  const members = object as Readonly<Record<string, unknown>>
  let text = '{'
  for (const key of Object.keys(members).sort()) {
    if (printing.fault === 'vast') break
    const name = textOf(key, printing)
    const member = everydayText(members[key], printing, level)
    text += text.length === 1 ? `${name}:${member}` : `,${name}:${member}`
  }
  return `${text}}`
}

function unusual(printing: Printing): string {
  printing.fault ??= 'unusual'
  return ''
}

function vast(printing: Printing): string {
  printing.fault = 'vast'
  return ''
}
