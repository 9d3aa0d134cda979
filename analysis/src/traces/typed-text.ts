/** What Claude Code itself writes in a message of the user's stands in elements whose names have two words, as `<bash-stdout>`. */
const WRITTEN_FOR_THE_USER = /<(?:bash|command|ide|local|new|persisted|post|pre|session|stop|system|task|teammate|tool|user)[-_][\w-]*[\s/>]/i
const ELEMENT_OF_TWO_WORDS = /^\s*<[a-z]\w*[-_][\w-]*[\s/>]/i

/** Of a text in a message of the user's, what the user typed: none of one that begins with such an element, else what comes before one. */
export function typedText(text: string): string {
  if (ELEMENT_OF_TWO_WORDS.test(text)) return ''
  const end = text.search(WRITTEN_FOR_THE_USER)
  return end === -1 ? text : text.slice(0, end).trimEnd()
}
