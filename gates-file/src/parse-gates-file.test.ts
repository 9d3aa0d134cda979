import { sha256Hex } from '@callgate/core'
import { expect, test } from 'vitest'
import { formatProblem, parseGatesFile } from './index.ts'
import type { GatesFile, ParsedGatesFile, Problem } from './index.ts'

// The founding document's file, as it stands there.
const FOUNDING = `gates:
  rules:
    - gate: invoice_listed
      tools: [set_invoice_status]
      message: Run list_invoices first so you've actually seen the IDs.
    - gate: confirm
      tools: [raise_purchase_order]
      message: "Raise this purchase order?"
`
const FOUNDING_RULES = [
  {
    gate: 'invoice_listed', tools: ['set_invoice_status'], line: 3,
    message: "Run list_invoices first so you've actually seen the IDs.",
  },
  { gate: 'confirm', tools: ['raise_purchase_order'], message: 'Raise this purchase order?', line: 6 },
]
const RULE = '{ gate: confirm, tools: [t], message: m }'

function gatesOf(parsed: ParsedGatesFile): GatesFile {
  if (!parsed.ok) throw new Error(parsed.problems.map(formatProblem).join('\n'))
  return parsed.gates
}

function problemsOf(parsed: ParsedGatesFile): readonly Problem[] {
  return parsed.ok ? [] : parsed.problems
}

const places = (problems: readonly Problem[]) => problems.map(({ line, column, code }) => `${line}:${column} ${code}`)

test("the founding document's file loads as it stands, each rule with its line", () => {
  expect(gatesOf(parseGatesFile(FOUNDING))).toEqual({ digest: sha256Hex(FOUNDING), rules: { rules: FOUNDING_RULES }, special: [] })
})

test('JSON is YAML: the founding file as JSON says the same', () => {
  const rules = FOUNDING_RULES.map(({ gate, tools, message }) => ({ gate, tools, message }))
  const json = JSON.stringify({ gates: { rules } }, null, '\t')
  const [first, second] = rules
  expect(gatesOf(parseGatesFile(json)).rules).toEqual({ rules: [{ ...first, line: 4 }, { ...second, line: 11 }] })
})

test('everything that is built is read', () => {
  const text = `version: 1
server:
  command: [npx, -y, "@modelcontextprotocol/server-filesystem", ./invoices, ""]
gates:
  rules:
    - gate: invoice_listed
      tools: [set_invoice_status, send_invoice]
      message: |
        List first.
        Then set.
      condition: external_recipient
  marks:
    - gate: invoice_listed
      tools: [list_invoices]
      from: tool
    - { gate: invoice_listed, tools: [get_invoice] }
  external: [external_recipient]
typing:
  mode: strict
  lowercaseBooleans: true
  invalid: forward
  tools:
    list_invoices:
      limit: { minimum: -0, maximum: 0x64 }
      rate: { maximum: 0.5 }
      page: { minimum: 1, maximum: 1 }
      id: { minimum: -9007199254740991, maximum: 9007199254740991 }
    __proto__: { constructor: { minimum: 1 } }
    "<<": { n: { minimum: 1 } }
`
  const parsed = parseGatesFile(text)
  expect(parsed).toMatchObject({ ok: true, warnings: [] })
  const { server, rules, typing } = gatesOf(parsed)
  expect(server).toEqual({ command: ['npx', '-y', '@modelcontextprotocol/server-filesystem', './invoices', ''] })
  expect(rules).toEqual({
    rules: [{
      gate: 'invoice_listed', tools: ['set_invoice_status', 'send_invoice'], message: 'List first.\nThen set.\n',
      condition: 'external_recipient', line: 6,
    }],
    marks: [
      { gate: 'invoice_listed', tools: ['list_invoices'], line: 13 },
      { gate: 'invoice_listed', tools: ['get_invoice'], line: 16 },
    ],
    external: ['external_recipient'],
  })
  expect(typing).toMatchObject({ mode: 'strict', lowercaseBooleans: true, invalid: 'forward' })
  expect(Object.keys(typing?.tools ?? {})).toEqual(['list_invoices', '__proto__', '<<'])
  expect({ ...typing?.tools['list_invoices'] }).toStrictEqual({
    limit: { minimum: 0, maximum: 100 }, rate: { maximum: 0.5 }, page: { minimum: 1, maximum: 1 },
    id: { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
  })
  expect(typing?.tools['toString']).toBeUndefined()
})

test('typing alone is a file, and it is cautious where it is silent', () => {
  const { rules, typing } = gatesOf(parseGatesFile('typing: { mode: strict }'))
  expect(rules).toEqual({ rules: [] })
  expect(typing).toEqual({ mode: 'strict', lowercaseBooleans: false, invalid: 'refuse', tools: {} })
  expect(typing?.tools['constructor']).toBeUndefined()
  expect(gatesOf(parseGatesFile('gates: { rules: [] }\ntyping: { mode: strict }')).rules).toEqual({ rules: [] })
})

test('what is read is frozen, all the way down', () => {
  const gates = gatesOf(parseGatesFile(`server: { command: [x] }\ngates: { rules: [${RULE}], external: [e] }
typing: { mode: strict, tools: { t: { n: { minimum: 0 } } } }`))
  const isFrozen = (value: unknown): boolean =>
    typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(isFrozen))
  expect(isFrozen(gates)).toBe(true)
  expect(isFrozen(parseGatesFile('nothing: 1'))).toBe(true)
})

test('on, yes, no and off are text, and a name is kept exactly', () => {
  const text = 'gates:\n  rules:\n    - { gate: on, tools: [yes, no, off, " t ", T], message: n }\n  external: [on]'
  const [rule] = gatesOf(parseGatesFile(text)).rules.rules
  expect(rule).toMatchObject({ gate: 'on', tools: ['yes', 'no', 'off', ' t ', 'T'], message: 'n' })
})

test('an anchor may be used again, and a problem stands where it is used', () => {
  const shared = `gates:
  rules:
    - { gate: confirm, tools: &t [a, b], message: &m ok }
    - { gate: confirm, tools: *t, message: *m }
`
  expect(gatesOf(parseGatesFile(shared)).rules.rules[1]).toMatchObject({ tools: ['a', 'b'], message: 'ok' })
  expect(places(problemsOf(parseGatesFile(shared.replace('message: *m', 'message: *t'))))).toEqual(['4:44 wrong_type'])
  const nearest = 'gates:\n  external: [&a x, &a y, *a]\n  rules: [' + RULE + ']'
  expect(gatesOf(parseGatesFile(nearest)).rules.external).toEqual(['x', 'y', 'y'])
})

test('a map that holds itself is refused, not followed', () => {
  expect(places(problemsOf(parseGatesFile('&f\ngates: *f')))).toEqual(['2:1 unknown_key'])
})

test('problems name the file, and are listed all, in the order of the text', () => {
  const text = 'gates:\n  rules:\n    - gate: a\n      tools: []\n      wehn: x\ntyping:\n  mode: flexible\n'
  const problems = problemsOf(parseGatesFile(text, { file: 'conf/g.yml' }))
  expect(problems.map(formatProblem)).toEqual([
    'conf/g.yml:3:7: an item of `rules` has no `message`; add `message:`',
    'conf/g.yml:4:14: `tools` is an empty list; name at least one, or remove the entry',
    'conf/g.yml:5:7: `wehn` is no key of an item of `rules`; did you mean `when`?',
  ])
})

test('a key in the wrong map is told where it stands', () => {
  const flat = 'gates:\nrules:\n- gate: confirm\ntools: [t]\nmessage: "m"\n'
  const problems = problemsOf(parseGatesFile(flat))
  expect(places(problems)).toEqual(['1:1 wrong_type', '2:1 unknown_key', '4:1 unknown_key', '5:1 unknown_key'])
  expect(problems[1]?.hint).toBe('it stands in `gates`: check the indentation')
  const [inherited] = problemsOf(parseGatesFile('constructor: 1\ntyping: { mode: strict }'))
  expect(inherited?.hint).toBe('known here: version, server, gates, typing, redact, record, userText, examples')
})

test('a gate that nothing marks is a warning, once, unless a tool or the host marks it', () => {
  const text = `gates:
  rules:
    - { gate: invoice_listd, tools: [t], message: m }
    - { gate: invoice_listd, tools: [u], message: m }
    - { gate: confirm, tools: [u], message: m, condition: outside }
    - { gate: host_checked, tools: [u], message: m }
  marks: [{ gate: invoice_listed, tools: [l] }]
  external: [host_checked]
`
  const parsed = parseGatesFile(text)
  expect(parsed.ok && places(parsed.warnings)).toEqual(['3:15 gate_never_marked', '5:59 condition_never_marked'])
  expect(parsed.ok && parsed.warnings.map(({ severity }) => severity)).toEqual(['warning', 'warning'])
  expect(parsed.ok && parsed.warnings[0]?.hint).toBe('did you mean `invoice_listed`?')
  expect(parsed.ok && parsed.warnings[1]?.hint).toContain('gates.external')
})

test('lines end with CRLF or LF, and a byte order mark is not counted', () => {
  const bad = 'gates:\n  rules:\n    - { gate: a, tools: [], message: m }\n'
  for (const text of [bad, bad.replaceAll('\n', '\r\n'), `\ufeff${bad}`]) {
    expect(places(problemsOf(parseGatesFile(text)))).toEqual(['3:25 empty_list'])
  }
  expect(places(problemsOf(parseGatesFile('\ufeffgatse: 1')))).toEqual(['1:1 unknown_key'])
  expect(gatesOf(parseGatesFile(`\ufeff${FOUNDING}`)).digest).toBe(sha256Hex(FOUNDING))
})

test('a column counts UTF-16 code units, as editors do', () => {
  const text = `gates: { external: ["é", "😀", 7], rules: [${RULE}] }`
  expect(places(problemsOf(parseGatesFile(text)))).toEqual(['1:32 wrong_type'])
})

test('what cannot be seen is written out in messages, and long words are cut', () => {
  const [problem] = problemsOf(parseGatesFile(`"a\\u001b[31m\\u202e${'x'.repeat(500)}": 1\ntyping: { mode: strict }`))
  expect(problem?.message).toMatch(/^`a\\u\{1b\}\[31m\\u\{202e\}x+…` is no key of the file$/)
  expect(problem?.message.length).toBeLessThan(120)
})

test('at most 100 problems are listed, and the last says how many are not', () => {
  const keys = (count: number) => Array.from({ length: count }, (_, n) => `key${n}: 1\n`).join('')
  const many = (count: number) => `gates:\n  rules: [${RULE}]\n${keys(count)}`
  expect(problemsOf(parseGatesFile(many(100))).every(({ code }) => code === 'unknown_key')).toBe(true)
  const problems = problemsOf(parseGatesFile(many(150)))
  expect(problems).toHaveLength(100)
  expect(problems.at(-1)).toMatchObject({ code: 'too_many_problems', message: '51 more problems are not listed', line: 102 })
})

test.each([
  ['too_large', 'a'.repeat(4_194_305)],
  ['too_large', '# \n'.repeat(1_000_000)],
  ['too_deep', '['.repeat(100_000)],
  ['too_deep', '- '.repeat(100_000)],
  ['alias', `gates:\n  external: [&a x, ${'*a,'.repeat(101)}]`],
  ['too_large', `gates:\n  external: &e [${'a,'.repeat(100_000)}]\n  marks:\n${'    - { gate: g, tools: *e }\n'.repeat(90)}`],
])('a file that is %s ends at its bound', (code, text) => {
  expect(problemsOf(parseGatesFile(text)).map((problem) => problem.code)).toContain(code)
})

test('a hundred aliases, and four mebibytes, are within the bounds', () => {
  const aliases = `gates:\n  rules: [${RULE}]\n  external: [&a x, ${'*a,'.repeat(100)}]`
  expect(gatesOf(parseGatesFile(aliases)).rules.external).toHaveLength(101)
  expect(gatesOf(parseGatesFile(FOUNDING.padEnd(4_194_304, ' '))).rules.rules).toHaveLength(2)
})
