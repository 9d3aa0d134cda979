/** A text in which letters that differ by case alone are the same, unit by unit: an index into it is one into `text`. */
export function foldCase(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase()
  let folded = ''
  for (const character of text) folded += foldCharacter(character)
  return folded
}

/** What would be longer or shorter in another case stays as it is, lest the indices move. */
function foldCharacter(character: string): string {
  const upper = character.toUpperCase()
  const lower = (upper.length === character.length ? upper : character).toLowerCase()
  return lower.length === character.length ? lower : character
}
