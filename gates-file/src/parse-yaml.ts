import { Composer, Lexer, Parser } from 'yaml'
import type { Document, Node, ParsedNode } from 'yaml'
import type { ProblemList } from './problem-list.ts'
import { showText } from './show-text.ts'

/** The most UTF-16 code units that a gates file may have, and the most bytes on disk. */
export const MAX_FILE_SIZE = 4_194_304

// Bounds on the work of the YAML library, far above any file that a person writes.
const MAX_TOKENS = 1_000_000
const MAX_DEPTH = 64
const MAX_ALIASES = 100

const SYNTAX_HINTS: { readonly [code: string]: string } = {
  BAD_SCALAR_START: 'put the text in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'a text with `: ` in it stands in quotes',
  MULTILINE_IMPLICIT_KEY: 'a text of several lines stands in quotes',
  TAB_AS_INDENT: 'indent with spaces',
}

const QUOTE_EXPRESSION = 'put the expression in quotes: one with `: ` or ` #` in it, or that begins with a bracket, a quote or `!`, needs them'

type Token = ReturnType<Parser['next']> extends Generator<infer T> ? T : never

/** Reads one YAML 1.2 document, core schema, without tags; undefined where a problem was reported. */
export function parseYaml(text: string, problems: ProblemList): Node | undefined {
  if (text.length > MAX_FILE_SIZE) {
    problems.error(0, 'too_large', `the file is larger than ${MAX_FILE_SIZE} characters, the most a gates file may have`)
    return undefined
  }
  const tokens = scan(text, problems)
  if (tokens === undefined) return undefined
  const document = compose(tokens, text, problems)
  if (problems.hasErrors) return undefined
  const contents = document?.contents ?? undefined
  if (contents === undefined || contents.range[0] === contents.range[1]) {
    problems.error(0, 'empty_file', 'the file is empty: nothing would be gated', 'begin with `gates:` and a list of `rules`')
    return undefined
  }
  return contents
}

/** True where the line of an offset begins with a key whose value is an expression. */
function isInExpression(text: string, offset: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)
  return /^[\s-]*(?:key|require|when|keys|keep|failedWhen|sum)\s*:/u.test(line)
}

/** Tokens within bounds, so that neither nesting nor size can exhaust the composer, which recurses. */
function scan(text: string, problems: ProblemList): readonly Token[] | undefined {
  const parser = new Parser()
  const tokens: Token[] = []
  let count = 0
  let aliases = 0
  let before = ''
  for (const lexeme of new Lexer().lex(text)) {
    const offset = parser.offset
    count += 1
    // After this mark comes a scalar's own text, which may begin with anything.
    if (before !== '\u001f') {
      if (lexeme.startsWith('*')) aliases += 1
      checkLexeme(lexeme, offset, text, problems)
    }
    before = lexeme
    // One at a time: most lexemes make none, and spreading costs more than the token.
    for (const token of parser.next(lexeme)) tokens.push(token)
    if (parser.stack.length > MAX_DEPTH) return stop(problems, offset, 'too_deep', 'nested far deeper than the format is')
    if (count > MAX_TOKENS) return stop(problems, offset, 'too_large', `more than ${MAX_TOKENS} words and signs`)
    if (aliases > MAX_ALIASES) return stop(problems, offset, 'alias', `more than ${MAX_ALIASES} aliases`)
  }
  tokens.push(...parser.end())
  return tokens
}

function checkLexeme(lexeme: string, offset: number, text: string, problems: ProblemList): void {
  if (lexeme.startsWith('!')) {
    problems.error(
      offset, 'tag',
      `tags are not read, and ${showText(lexeme)} is one`,
      isInExpression(text, offset) ? QUOTE_EXPRESSION : 'remove it; a text that looks like something else stands in quotes',
    )
  } else if (lexeme.startsWith('%') && !/^%YAML\s+1\.2\s*(#|$)/.test(lexeme)) {
    const message = `the directive ${showText(lexeme)} is not read`
    problems.error(offset, 'yaml_directive', message, 'remove it; a gates file is YAML 1.2')
  }
}

function stop(problems: ProblemList, offset: number, code: 'too_deep' | 'too_large' | 'alias', message: string): undefined {
  problems.error(offset, code, message, 'a gates file is small: split it, or write it more simply')
}

function compose(tokens: readonly Token[], text: string, problems: ProblemList): Document.Parsed<ParsedNode> | undefined {
  const composer = new Composer({
    version: '1.2', schema: 'core', merge: false,
    // Ours is linear and says where the first one stands.
    uniqueKeys: false, prettyErrors: false, logLevel: 'silent',
  })
  let first: Document.Parsed<ParsedNode> | undefined
  for (const document of composer.compose(tokens, true, text.length)) {
    if (first !== undefined) {
      problems.error(
        document.contents?.range[0] ?? document.range[0], 'several_documents',
        'a second document begins here',
        'a gates file is one document: remove what follows `---` or `...`',
      )
      break
    }
    first = document
  }
  for (const found of [...(first?.errors ?? []), ...(first?.warnings ?? [])]) {
    // Tags and directives were reported where they stand.
    if (found.code === 'TAG_RESOLVE_FAILED' || found.code === 'BAD_DIRECTIVE') continue
    const hint = isInExpression(text, found.pos[0]) ? QUOTE_EXPRESSION : SYNTAX_HINTS[found.code]
    problems.error(found.pos[0], 'yaml_syntax', `this is not YAML: ${showText(found.message, 300)}`, hint)
  }
  return first
}
