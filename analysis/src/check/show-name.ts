const MAX_NAME = 200

/** A name as messages quote it, cut off after 200 letters. */
export function showName(name: string): string {
  return `\`${name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name}\``
}

/** The same with every letter that is not plain written out, for names that look alike. */
export function spellName(name: string): string {
  return showName(Array.from(name, (letter) => (/^[ -~]$/u.test(letter) ? letter : `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`)).join(''))
}
