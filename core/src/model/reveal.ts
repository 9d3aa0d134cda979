// Format and ignorable characters, look-alike spaces, the blank Braille cell, and what no font shows.
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu

/**
 * Text for a person or a model (contract 10): each control, format, bidirectional or invisible character is written
 * `\u{..}`, so that nothing in it can move the cursor, turn the reading order or hide.
 */
export function reveal(text: string): string {
  return text.replace(HIDDEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
}
