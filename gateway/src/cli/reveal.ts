// Format and ignorable characters, look-alike spaces, the blank Braille cell, and what no font shows.
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu

/**
 * Text for a person (contract 10): each control, format, bidirectional or invisible character is written `\u{..}`, so
 * that nothing in it can move the cursor, turn the reading order or hide.
 */
export function reveal(text: string): string {
  return text.replace(HIDDEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
}

/** `reveal` for text that is no JSON: its own backslashes are doubled, so that `\u{..}` cannot be written by hand. */
export function revealPlain(text: string): string {
  return reveal(text.replaceAll('\\', '\\\\'))
}

/** `reveal` for text of several lines: the line breaks stay. */
export function revealLines(text: string): string {
  return text.split('\n').map(reveal).join('\n')
}

/** At most `length` characters of revealed text, the rest as `…`. */
export function shorten(text: string, length: number): string {
  const characters = Array.from(text)
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`
}
