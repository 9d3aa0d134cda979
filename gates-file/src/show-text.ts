const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** Text from outside, safe to print on one line: what cannot be seen is written as `\u{…}`; cut at `limit` code units. */
export function showText(text: string, limit = 60): string {
  const visible = text.slice(0, limit).replace(INVISIBLE, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`)
  return text.length > limit ? `${visible}…` : visible
}

/** The same, in backticks. */
export function quoteText(text: string): string {
  return `\`${showText(text)}\``
}
