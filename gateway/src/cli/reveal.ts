import { reveal } from '@callgate/core'

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
