import { Ajv } from 'ajv'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { gatesFileSchema, parseGatesFile } from './index.ts'
import type { ParsedGatesFile, Problem } from './index.ts'

const VALID = `version: 1
server: { command: [npx, "-y", server] }
gates:
  rules:
    - gate: invoice_listed
      tools: &t [set_invoice_status, "send"]
      message: |
        List first.
      condition: outside
    - { gate: confirm, tools: *t, message: 'Go?', when: args.total >= 10.0, quorum: 2, expires: 15m, approvers: [a] }
    - { gate: confirm, annotations: { destructiveHint: true }, unannotated: true, message: m }
    - { gate: invoice_listed, tools: ["set_*"], message: m, key: args.id, require: fact.open, otherwise: hold, notBy: requester }
  marks:
    - { gate: invoice_listed, tools: [list_invoices], from: tool, keys: result.ids, keep: args.a, parse: json, expires: 1h, uses: 3 }
    - { gate: invoice_listed, tools: [set_x], clear: true }
    - { gate: outside_user, from: user, keys: text.emails() }
  external: [outside]
  deny: ["drop_*"]
  limits: [{ tools: [send], calls: 5, per: 1h }, { sum: args.n, max: 500.5 }, { repeats: 5 }]
  default: refuse
typing:
  mode: strict
  invalid: forward
  tools: { list_invoices: { limit: { minimum: 0, maximum: 100 } } }
redact: [args.card]
record: { onError: warn }
examples: [{ call: { tool: t, args: { n: [1, null, x] } }, expect: run, by: confirm }]
`

const SNIPPETS = [
  '"', "'", '[', ']', '{', '}', ': ', '- ', '\n', '\t', '  ', '#', '&a ', '*a', '!x ', '|', '>', '? ', '%', '---\n', '...\n',
  '\r\n', '\ufeff', '\u0000', '\ud800', '😀', 'é', '<<: ', 'when: x\n', 'args.', '(', '0', 'from: user', 'confirm', 'null', '~', '1e999', '.nan', '-', ',',
  '__proto__: ', '*', '`', '@', '\\',
]

const edits = (maxLength: number): fc.Arbitrary<string> => fc.array(
  fc.record({
    at: fc.nat(VALID.length), drop: fc.nat(12),
    insert: fc.oneof(fc.constantFrom(...SNIPPETS), fc.string({ unit: 'binary', maxLength: 4 }), fc.constant('')),
  }),
  { minLength: 1, maxLength },
).map((made) => made.reduce((text, { at, drop, insert }) => text.slice(0, at) + insert + text.slice(at + drop), VALID))
const mutated = edits(5)

function checkPlaces(text: string, parsed: ParsedGatesFile): void {
  const lines = text.replace(/^\ufeff/, '').split('\n')
  const problems: readonly Problem[] = parsed.ok ? parsed.warnings : parsed.problems
  expect(parsed.ok || problems.length > 0).toBe(true)
  expect(problems.length).toBeLessThanOrEqual(100)
  const astray = problems.filter(({ line, column, message, hint = '' }) => {
    const width = lines[line - 1]?.length ?? -1
    return !(column >= 1 && column <= width + 1) || /[\p{Cc}\p{Cf}]/u.test(message + hint)
  })
  expect(astray).toEqual([])
}

test('no text makes it throw, and every place lies inside the text', () => {
  const snippets = fc.array(fc.constantFrom(...SNIPPETS)).map((parts) => parts.join(''))
  const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string(), snippets)
  fc.assert(fc.property(anyText, (text) => checkPlaces(text, parseGatesFile(text))), { numRuns: 500 })
})

test('no damage to a valid file makes it throw, and every place lies inside the text', () => {
  expect(parseGatesFile(VALID)).toMatchObject({ ok: true, warnings: [] })
  fc.assert(fc.property(mutated, (text) => checkPlaces(text, parseGatesFile(text))), { numRuns: 500 })
})

test('the same text is read the same', () => {
  fc.assert(fc.property(mutated, (text) => {
    expect(JSON.stringify(parseGatesFile(text))).toBe(JSON.stringify(parseGatesFile(text)))
  }), { numRuns: 200 })
})

test('what the reader accepts, the published schema accepts', () => {
  const accepts = new Ajv({ strictTypes: false, strictTuples: false }).compile(gatesFileSchema())
  let accepted = 0
  fc.assert(fc.property(edits(1), (text) => {
    if (!parseGatesFile(text).ok) return
    accepted += 1
    if (!accepts(parse(text.replace(/^\ufeff/, '')))) throw new Error(JSON.stringify(accepts.errors))
  }), { numRuns: 500 })
  expect(accepted).toBeGreaterThan(20)
})

const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .filter((text) => text.trim() !== '' && !text.includes('*'))
const tools = fc.array(name, { minLength: 1, maxLength: 3 })
const gate = name.filter((text) => text !== 'confirm')

test('whatever names and messages are written as JSON come out exactly as they went in', () => {
  const rules = fc.array(fc.record({ gate: name, tools, message: name }), { minLength: 1, maxLength: 4 })
  const marks = fc.array(fc.record({ gate, tools }), { maxLength: 3 })
  fc.assert(fc.property(rules, marks, fc.array(gate, { maxLength: 3 }), (rules, marks, external) => {
    const parsed = parseGatesFile(JSON.stringify({ gates: { rules, marks, external } }))
    const read = parsed.ok ? parsed.gates.rules : undefined
    const line = expect.any(Number) as number
    expect(read).toEqual({
      rules: rules.map((rule) => ({ ...rule, line })), marks: marks.map((mark) => ({ ...mark, line })), external,
    })
  }))
})
