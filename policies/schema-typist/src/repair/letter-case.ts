/** The members of a list of texts that are a text in whatever letter case, each once. */
export type CaseIndex = (text: string) => readonly string[]

const NONE: readonly string[] = Object.freeze([])

/** Finds members by one look, however many there are: the texts are sorted by their letters when first asked. */
export function createCaseIndex(texts: readonly string[]): CaseIndex {
  let byLetters: Map<string, string[]> | undefined
  return (text) => {
    byLetters ??= sortByLetters(texts)
    // One direction is not enough: the Kelvin sign in lower case is a k, in upper case it stays what it is.
    const upper = text.toUpperCase()
    return byLetters.get(text.toLowerCase())?.filter((member) => member.toUpperCase() === upper) ?? NONE
  }
}

function sortByLetters(texts: readonly string[]): Map<string, string[]> {
  const byLetters = new Map<string, string[]>()
  for (const text of new Set(texts)) {
    const letters = text.toLowerCase()
    const alike = byLetters.get(letters)
    if (alike === undefined) byLetters.set(letters, [text])
    else alike.push(text)
  }
  return byLetters
}
