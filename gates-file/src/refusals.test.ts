import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { parseGatesFile } from './index.ts'

const RULE = '{ gate: a, tools: [t], message: m }'
const RULES = `gates:\n  rules:\n    - ${RULE}\n`
const GATES = `gates:\n  rules: [${RULE}]\n`
const typed = (line: string) => `typing:\n  mode: strict\n  ${line}\n`
const rule = (line: string) => `gates:\n  rules:\n    - gate: a\n      tools: [t]\n      message: m\n      ${line}\n`
const confirm = (line: string) => rule(line).replace('gate: a', 'gate: confirm')
const mark = (line: string) => `${RULES}  marks:\n    - gate: a\n      tools: [t]\n      ${line}\n`
const limit = (text: string) => `${RULES}  limits:\n    - ${text}\n`
const tool = (bounds: string) => typed(`tools: { t: { n: ${bounds} } }`)

/** A `¦` stands where a problem is expected, two where two are; the codes follow in the order of the text. */
const REFUSED: readonly (readonly [text: string, ...codes: string[]])[] = [
  // Nothing there.
  ['¦', 'empty_file'],
  ['¦  \n\n', 'empty_file'],
  ['¦# only a comment\n', 'empty_file'],
  ['¦---\n', 'empty_file'],
  ['¦- gates\n', 'wrong_type'],
  ['¦gates', 'wrong_type'],
  ['¦null', 'wrong_type'],
  ['¦42', 'wrong_type'],
  ['¦""', 'wrong_type'],
  ['¦{}', 'missing_key'],
  ['¦version: 1\n', 'missing_key'],
  ['# a comment first\n¦version: 1\nserver: { command: [x] }\n', 'missing_key'],
  ['gates: ¦{}\n', 'no_rules'],
  ['gates:\n  ¦rules: []\n', 'no_rules'],
  ['gates:\n  ¦external: [a]\n  marks: [{ gate: a, tools: [t] }]\n', 'no_rules'],
  // Shapes.
  ['¦gates:\n', 'wrong_type'],
  ['gates: ¦[]\n', 'wrong_type'],
  ['gates: ¦text\n', 'wrong_type'],
  ['gates:\n  ¦rules:\n', 'wrong_type'],
  ['gates:\n  rules: ¦{ gate: a }\n', 'wrong_type'],
  ['gates:\n  rules:\n    ¦gate: a\n    tools: [t]\n', 'wrong_type'],
  ['gates:\n  rules:\n    - ¦a\n', 'wrong_type'],
  ['gates:\n  rules:\n    -¦\n', 'wrong_type'],
  ['gates:\n  rules:\n    - gate: a\n      ¦tools:\n      message: m\n', 'wrong_type'],
  ['gates:\n  rules:\n    - gate: a\n      tools: ¦t\n      message: m\n', 'wrong_type'],
  ['gates:\n  rules:\n    - gate: ¦7\n      tools: [t, ¦true, ¦null, ¦[u], ¦{v: w}]\n      message: ¦1.5\n',
    'wrong_type', 'wrong_type', 'wrong_type', 'wrong_type', 'wrong_type', 'wrong_type'],
  ['gates:\n  rules:\n    - ¦7: a\n      gate: a\n      tools: [t]\n      message: m\n', 'wrong_type'],
  ['gates:\n  rules:\n    - ¦[x]: a\n      gate: a\n      tools: [t]\n      message: m\n', 'wrong_type'],
  [`${RULES}  external: ¦a\n`, 'wrong_type'],
  [`${RULES}  marks: ¦a\n`, 'wrong_type'],
  [`${RULES}server: ¦[npx, x]\n`, 'wrong_type'],
  [`${RULES}server:\n  command: ¦npx x\n`, 'wrong_type'],
  [`${RULES}server:\n  command: [npx, ¦8]\n`, 'wrong_type'],
  [typed('lowercaseBooleans: ¦yes'), 'wrong_type'],
  [typed('lowercaseBooleans: ¦on'), 'wrong_type'],
  [typed('lowercaseBooleans: ¦"true"'), 'wrong_type'],
  [tool('{ minimum: ¦"0" }'), 'wrong_type'],
  [tool('¦5'), 'wrong_type'],
  [typed('tools: ¦[t]'), 'wrong_type'],
  // Empty.
  ['gates:\n  rules:\n    - gate: ¦""\n      tools: [¦"", t, ¦" "]\n      message: ¦"\\n"\n',
    'empty_text', 'empty_text', 'empty_text', 'empty_text'],
  ['gates:\n  rules:\n    - gate: a\n      tools: ¦[]\n      message: m\n', 'empty_list'],
  [`${RULES}  marks: [{ gate: a, tools: ¦[] }]\n`, 'empty_list'],
  [`${RULES}  external: [¦""]\n`, 'empty_text'],
  [`${RULES}server: { command: ¦[] }\n`, 'empty_list'],
  [`${RULES}server: { command: [¦"", x] }\n`, 'empty_text'],
  [typed('tools: ¦{}'), 'empty_map'],
  [typed('tools: { t: ¦{} }'), 'empty_map'],
  [tool('¦{}'), 'missing_key'],
  // Missing.
  ['gates:\n  rules:\n    - ¦¦gate: a\n', 'missing_key', 'missing_key'],
  ['gates:\n  rules:\n    - ¦tools: [t]\n      message: m\n', 'missing_key'],
  ['gates:\n  rules: [¦{ gate: a, message: m }]\n', 'missing_key'],
  [`${RULES}  marks: [¦{ gate: a }]\n`, 'missing_key'],
  [`${RULES}server: ¦{}\n`, 'missing_key'],
  ['typing: ¦{}\n', 'missing_key'],
  // Words that are not known here.
  [`¦gate:\n  rules: [${RULE}]\n`, 'unknown_key'],
  ['gates:\n  ¦ruels: []\n', 'unknown_key'],
  ['gates:\n  rules:\n    - gate: a\n      ¦tool: [t]\n      message: m\n', 'unknown_key'],
  ['gates:\n  rules:\n    - gate: a\n      tools: [t]\n      ¦Message: m\n', 'unknown_key'],
  ['gates:\n  rules:\n    - gate: a\n      tools: [t]\n      message: m\n      ¦severity: high\n', 'unknown_key'],
  [`${GATES}¦rules: []\n`, 'unknown_key'],
  [`${GATES}¦__proto__: 1\n¦constructor: 2\n`, 'unknown_key', 'unknown_key'],
  [`${RULES}  marks: [{ gate: a, tools: [t], ¦message: m }]\n`, 'unknown_key'],
  [`${RULES}server: { command: [x], ¦cwd: / }\n`, 'unknown_key'],
  [tool('{ minimum: 0, ¦maximun: 1 }'), 'unknown_key'],
  [`version: ¦2\n${RULES}`, 'unknown_version'],
  [`version: ¦"1"\n${RULES}`, 'wrong_type'],
  ['typing:\n  mode: ¦srtict\n', 'unknown_word'],
  [typed('invalid: ¦ignore'), 'unknown_word'],
  [`${RULES}  marks: [{ gate: a, tools: [t], from: ¦tools }]\n`, 'unknown_word'],
  [typed('tools: { ¦"*": { n: { minimum: 0 } } }'), 'unknown_word'],
  // Expressions.
  [rule('when: ¦foo.x'), 'wrong_expression'],
  [rule('when: args.x == 1 && ¦foo'), 'wrong_expression'],
  [rule('when: "args.x == ¦"'), 'wrong_expression'],
  [rule('when: ¦true'), 'wrong_type'],
  [rule('key: ¦7'), 'wrong_type'],
  [rule('key: ¦result.id'), 'wrong_expression'],
  [rule('require: ¦result.id == 1'), 'wrong_expression'],
  [mark('keys: ¦fact.id'), 'wrong_expression'],
  [mark('keys: ¦text.emails()'), 'wrong_expression'],
  [`${RULES}  marks: [{ gate: a, from: user, keys: ¦result.id }]\n`, 'wrong_expression'],
  [mark('keep: ¦result.map(i, {"status": i.status})'), 'yaml_syntax'],
  // Words of the format that mean nothing where they stand.
  [confirm('key: ¦args.id'), 'misplaced_key'],
  [confirm('require: ¦fact.id == 1'), 'misplaced_key'],
  [confirm('otherwise: ¦hold'), 'misplaced_key'],
  [rule('approvers: ¦[finance]'), 'misplaced_key'],
  [rule('quorum: ¦2'), 'misplaced_key'],
  [rule('unannotated: ¦true'), 'misplaced_key'],
  [rule('annotations: ¦{ readOnlyHint: true }'), 'missing_key'],
  ['gates:\n  rules:\n    - ¦gate: a\n      message: m\n', 'missing_key'],
  ['gates:\n  rules:\n    - gate: a\n      annotations: ¦{}\n      unannotated: true\n      message: m\n', 'missing_key'],
  [mark('clear: true\n      uses: ¦1\n      keep: ¦args.id'), 'misplaced_key', 'misplaced_key'],
  [`${RULES}  marks: [{ gate: a, from: user, tools: ¦[t], parse: ¦json }]\n`, 'misplaced_key', 'misplaced_key'],
  [limit('{ calls: 5, repeats: ¦5 }'), 'misplaced_key'],
  [limit('{ calls: 5, max: ¦5 }'), 'misplaced_key'],
  [limit('{ repeats: 5, per: ¦1h }'), 'misplaced_key'],
  [limit('¦{ sum: args.n }'), 'missing_key'],
  [limit('¦{ tools: [t] }'), 'missing_key'],
  [limit('{ sum: args.n, max: ¦-1 }'), 'empty_range'],
  [`${RULES}server: { command: [x], url: ¦"http://127.0.0.1:1/mcp" }\n`, 'misplaced_key'],
  // Amounts and closed vocabularies.
  [limit('{ calls: ¦0 }'), 'wrong_type'],
  [limit('{ calls: ¦1.5 }'), 'wrong_type'],
  [limit('{ calls: ¦"5" }'), 'wrong_type'],
  [limit('{ calls: 5, per: ¦1w }'), 'unknown_word'],
  [limit('{ calls: 5, per: ¦0s }'), 'unknown_word'],
  [limit('{ calls: 5, per: ¦3600 }'), 'wrong_type'],
  [rule('otherwise: ¦dney'), 'unknown_word'],
  [mark('parse: ¦yaml'), 'unknown_word'],
  [mark('clear: ¦yes'), 'wrong_type'],
  [`${RULES}  default: ¦off\n`, 'unknown_word'],
  [`${RULES}  unlisted: ¦no\n`, 'unknown_word'],
  [`${RULES}  reload: ¦always\n`, 'unknown_word'],
  [`${RULES}  deny: ¦[]\n`, 'empty_list'],
  [`${RULES}redact: [¦card]\n`, 'unknown_word'],
  [`${RULES}record: { onError: ¦ignore }\n`, 'unknown_word'],
  [`${RULES}userText: { header: ¦"a b" }\n`, 'unknown_word'],
  [`${RULES}server: { url: ¦ftp://x/ }\n`, 'unknown_word'],
  [`${RULES}server: { url: "http://x/", headers: { authorization: ¦"Bearer secret" } }\n`, 'unknown_word'],
  [`${RULES}server: { url: "http://x/", headers: { ¦"a b": "\${A}" } }\n`, 'unknown_word'],
  [`${RULES}server: { command: [x], headers: ¦{ authorization: "Bearer \${A}" } }\n`, 'misplaced_key'],
  [`${RULES}examples: [{ call: { tool: t }, expect: ¦pass }]\n`, 'unknown_word'],
  [`${RULES}examples: [{ call: ¦{ args: {} }, expect: run }]\n`, 'missing_key'],
  // Conditions that could go.
  ['gates:\n  rules: [{ gate: a, tools: [t], message: m, condition: c }]\n  marks: [{ gate: c, tools: [u], expires: ¦1h, uses: ¦2 }]\n', 'condition_must_last', 'condition_must_last'],
  ['gates:\n  rules: [{ gate: a, tools: [t], message: m, condition: c }]\n  marks: [{ gate: c, tools: [u], clear: ¦true }]\n', 'condition_must_last'],
  // Gates that only a person answers.
  [`${RULES}  marks: [{ gate: ¦confirm, tools: [t] }]\n`, 'reserved_gate'],
  [`${RULES}  external: [a, ¦confirm]\n`, 'reserved_gate'],
  ['gates:\n  rules:\n    - gate: a\n      tools: [t]\n      message: m\n      condition: ¦confirm\n', 'reserved_gate'],
  // Numbers and characters.
  [tool('{ minimum: 2, maximum: ¦1 }'), 'empty_range'],
  [tool('{ maximum: ¦9007199254740992 }'), 'inexact_number'],
  [tool('{ minimum: ¦-9007199254740993 }'), 'inexact_number'],
  [tool('{ minimum: ¦-1e300 }'), 'inexact_number'],
  [tool('{ minimum: ¦-.inf }'), 'inexact_number'],
  [tool('{ minimum: ¦.nan }'), 'inexact_number'],
  ['gates:\n  rules:\n    - gate: a\n      tools: [¦"\\ud800"]\n      message: m\n', 'ill_formed_text'],
  [`${RULES}server: { command: [x, ¦"a\\0b"] }\n`, 'ill_formed_text'],
  // YAML's surprises.
  [`${GATES}¦gates:\n  rules: []\n`, 'duplicate_key'],
  ['gates:\n  rules:\n    - gate: a\n      tools: [t]\n      message: m\n      ¦gate: b\n', 'duplicate_key'],
  [`{"gates": {"rules": [${RULE}]}, ¦"gates": {}}`, 'duplicate_key'],
  [typed('tools: { t: { n: { minimum: 0 } }, ¦t: { n: { maximum: 1 } } }'), 'duplicate_key'],
  [`gates:\n  rules:\n    - &r ${RULE}\n    - { ¦<<: *r, gate: b, tools: [u], message: n }\n`, 'merge_key'],
  ['gates:\n  rules:\n    - gate: a\n      tools: ¦*none\n      message: m\n', 'alias'],
  [`${RULES}  external: ¦!!set { a, b: c }\n`, 'tag'],
  ['gates: ¦!!map\n  rules: []\n', 'tag'],
  [`gates:\n  rules: [{ gate: ¦!secret a, tools: [t], message: ¦!!str m }]\n`, 'tag', 'tag'],
  [`¦%YAML 1.1\n---\n${GATES}`, 'yaml_directive'],
  [`¦%TAG ! tag:example.org,2000:\n---\n${GATES}`, 'yaml_directive'],
  [`${GATES}---\n¦gates: {}\n---\nx: y\n`, 'several_documents'],
  [`${GATES}...\n¦rest\n`, 'several_documents'],
  ['gates:\n¦\t- rules\n', 'yaml_syntax'],
  ['gates:\n  rules:\n    - message: ¦Stop: now\n', 'yaml_syntax'],
  ['gates: ¦@x\n', 'yaml_syntax'],
  ['gates: ¦%x\n', 'yaml_syntax'],
  ['gates: {rules: []¦', 'yaml_syntax'],
]

function expected(marked: string, codes: readonly string[]): { readonly text: string; readonly places: readonly string[] } {
  const parts = marked.split('¦')
  let before = ''
  const places = codes.map((code, index) => {
    before += parts[index] ?? ''
    const lines = before.split('\n')
    return `${lines.length}:${(lines.at(-1) ?? '').length + 1} ${code}`
  })
  return { text: parts.join(''), places }
}

test.each(REFUSED)('refuses %j with %s where it stands', (marked, ...codes) => {
  const { text, places } = expected(marked, codes)
  const parsed = parseGatesFile(text)
  const found = parsed.ok ? [] : parsed.problems
  expect(found.map(({ line, column, code }) => `${line}:${column} ${code}`)).toEqual(places)
  expect(found.every(({ severity, file, message }) => severity === 'error' && file === 'gates.yml' && message !== '')).toBe(true)
})

// What a JSON Schema cannot say, or sees only after the text was parsed.
const BEYOND_SCHEMA = new Set(['no_rules', 'empty_range', 'ill_formed_text', 'duplicate_key', 'merge_key', 'alias', 'tag',
  'yaml_directive', 'several_documents', 'yaml_syntax', 'empty_file', 'wrong_expression', 'misplaced_key', 'condition_must_last',
])

test('the published schema refuses what the reader refuses, as far as a schema can see it', () => {
  const schema = JSON.parse(readFileSync(new URL('../schema/gates.schema.json', import.meta.url), 'utf8')) as object
  const accepts = new Ajv({ strictTypes: false, strictTuples: false }).compile(schema)
  const seen = REFUSED.filter(([, ...codes]) => codes.some((code) => !BEYOND_SCHEMA.has(code)))
  expect(seen.length).toBeGreaterThan(60)
  // As plain data a key is always text, and `__proto__` may be lost.
  const lost = /__proto__|¦(7|\[x\]): /
  expect(seen.filter(([marked]) => !lost.test(marked) && accepts(parse(marked.replaceAll('¦', ''))))).toEqual([])
})
