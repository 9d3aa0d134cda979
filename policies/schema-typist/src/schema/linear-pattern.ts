import type { AST } from '@eslint-community/regexpp'
import { RE2JS } from 're2js'

/** A pattern whose search of a text takes at most `size` times its length in steps. */
export type LinearPattern = { readonly size: number; test(text: string): boolean }

const LONGEST = 4_096
// The spaces and line ends of ECMAScript, which are more than RE2's; and all that stands between them.
const SPACES = String.raw`\x09-\x0d\x20\xa0\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`
const NO_SPACES = String.raw`\x00-\x08\x0e-\x1f\x21-\x9f\xa1-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`
// RE2 knows the values of these properties by their own names; a script's extensions are another set.
const NAMED_BY_VALUE: ReadonlySet<string> = new Set(['General_Category', 'gc', 'Script', 'sc'])
const NO_LINE_ENDS = String.raw`[^\x0a\x0d\x{2028}\x{2029}]`
const EVERYTHING = String.raw`\x00-\x{10ffff}`

/** The same pattern for RE2, which never backtracks; undefined where it has no such form: a look around, a back reference, a repeat beyond 1,000. */
export function linearPattern(pattern: AST.Pattern): LinearPattern | undefined {
  if (pattern.raw.length > LONGEST) return undefined
  const source = anyOf(pattern.alternatives)
  if (source === undefined) return undefined
  try {
    const compiled = RE2JS.compile(source)
    return { size: compiled.programSize(), test: (text) => compiled.test(text) }
  } catch {
    return undefined
  }
}

function anyOf(alternatives: readonly AST.Alternative[]): string | undefined {
  const sources = alternatives.map(({ elements }) => joined(elements.map(sourceOf), ''))
  return joined(sources, '|')
}

function joined(sources: readonly (string | undefined)[], between: string): string | undefined {
  return sources.includes(undefined) ? undefined : sources.join(between)
}

function sourceOf(element: AST.Element): string | undefined {
  switch (element.type) {
    case 'Group':
      return element.modifiers === null ? grouped(anyOf(element.alternatives)) : undefined
    case 'CapturingGroup':
      return grouped(anyOf(element.alternatives))
    case 'Assertion':
      return assertionOf(element)
    case 'Quantifier': {
      const { min, max } = element
      const source = grouped(sourceOf(element.element))
      return source === undefined ? undefined : `${source}{${min},${max === Infinity ? '' : max}}`
    }
    case 'Character':
      return codePoint(element.value)
    case 'CharacterSet':
      return element.kind === 'any' ? NO_LINE_ENDS : bracketed(setOf(element), false)
    case 'CharacterClass':
      return bracketed(joined(element.elements.map(memberOf), ''), element.negate)
    case 'Backreference':
    case 'ExpressionCharacterClass':
      return undefined
  }
}

function assertionOf(assertion: AST.Assertion): string | undefined {
  switch (assertion.kind) {
    case 'start':
      return String.raw`\A`
    case 'end':
      return String.raw`\z`
    case 'word':
      return assertion.negate ? String.raw`\B` : String.raw`\b`
    case 'lookahead':
    case 'lookbehind':
      return undefined
  }
}

function memberOf(member: AST.CharacterClassElement): string | undefined {
  if (member.type === 'Character') return codePoint(member.value)
  if (member.type === 'CharacterClassRange') return `${codePoint(member.min.value)}-${codePoint(member.max.value)}`
  return member.type === 'CharacterSet' ? setOf(member) : undefined
}

/** A set as it stands within brackets. */
function setOf(set: AST.EscapeCharacterSet | AST.UnicodePropertyCharacterSet): string | undefined {
  switch (set.kind) {
    case 'space':
      return set.negate ? NO_SPACES : SPACES
    case 'digit':
      return set.negate ? String.raw`\D` : String.raw`\d`
    case 'word':
      return set.negate ? String.raw`\W` : String.raw`\w`
    case 'property':
      return set.value === null || NAMED_BY_VALUE.has(set.key) ? `\\${set.negate ? 'P' : 'p'}{${set.value ?? set.key}}` : undefined
  }
}

function bracketed(members: string | undefined, isNegated: boolean): string | undefined {
  if (members === undefined) return undefined
  if (members === '') return isNegated ? `[${EVERYTHING}]` : `[^${EVERYTHING}]`
  return `[${isNegated ? '^' : ''}${members}]`
}

function grouped(source: string | undefined): string | undefined {
  return source === undefined ? undefined : `(?:${source})`
}

function codePoint(value: number): string {
  return `\\x{${value.toString(16)}}`
}
