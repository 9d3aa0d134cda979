/** The macros that go through a list; all arguments but the first are evaluated for each item. */
export const LOOPS: ReadonlySet<string> = new Set(['map', 'filter', 'all', 'exists', 'exists_one'])

/** The name under which every step of a loop is counted. */
export const STEP = 'callgate_step'
/** The name of `matches` by an engine whose work is bounded. */
export const MATCHES = 'callgate_matches'
/** The name of `split` with what it makes counted. */
export const SPLIT = 'callgate_split'

/** Methods that are replaced by bounded ones, and by which. */
export const REPLACED: ReadonlyMap<string, string> = new Map([['matches', MATCHES], ['split', SPLIT]])

// Comments, texts of every kind of quote, method names, then one character at a time.
const TOKEN = /\/\/[^\n]*|(?<text>[bBrR]{0,2}(?:"""[^]*?"""|'''[^]*?'''))|(?<raw>[bB]?[rR][bB]?(?:"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'))|[bB]?(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|\.\s*(?<method>[A-Za-z_]\w*)\s*\(|\w+|[^]/gu

/** An open bracket: of a loop's arguments, where those after the first are wrapped. */
type Bracket = { readonly isLoop: boolean; isWrapping: boolean }

/**
 * The expression with each step of its loops counted and `matches` and `split` replaced by bounded ones; its meaning is the same. The
 * source must be one that CEL has parsed: brackets match.
 */
export function boundedSource(source: string): string {
  const brackets: Bracket[] = []
  return source.replaceAll(TOKEN, (token: string, ...rest: readonly unknown[]) => {
    const { method } = rest.at(-1) as { readonly method?: string }
    if (method !== undefined) {
      brackets.push({ isLoop: LOOPS.has(method), isWrapping: false })
      return token.replace(method, REPLACED.get(method) ?? method)
    }
    if (token === '(' || token === '[' || token === '{') brackets.push({ isLoop: false, isWrapping: false })
    const inner = brackets.at(-1)
    if (token === ',' && inner?.isLoop === true) {
      const text = `${inner.isWrapping ? ')' : ''},${STEP}(`
      inner.isWrapping = true
      return text
    }
    if (token !== ')' && token !== ']' && token !== '}') return token
    brackets.pop()
    return inner?.isWrapping === true ? `)${token}` : token
  })
}
