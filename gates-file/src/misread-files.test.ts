import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { formatProblem, loadGates, parseGatesFile } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'gates-file-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function problemsOf(text: string): readonly string[] {
  const parsed = parseGatesFile(text)
  return parsed.ok ? [] : parsed.problems.map(formatProblem)
}

const RULE = 'gates:\n  rules:\n    - gate: seen\n      tools: [refund]\n      message: Look first.\n'
const MARK = '  marks:\n    - gate: seen\n      tools: [look]\n'

test('a mistyped word of a closed vocabulary fails the load, with its line and the words there are', () => {
  expect(problemsOf(`${RULE}      otherwise: refsue\n`)).toEqual([
    'gates.yml:6:18: `otherwise` must be `refuse` or `hold`, and this is `refsue`; did you mean `refuse`?',
  ])
  expect(problemsOf('gates:\n  default: dney\n')).toEqual([
    'gates.yml:2:12: `default` must be `allow` or `confirm` or `refuse`, and this is `dney`',
  ])
})

test('a file that is there and not valid is never taken for one that is not there', async () => {
  const path = join(folder, 'gates.yml')
  await expect(loadGates(path)).rejects.toMatchObject({ code: 'gates_file_missing' })
  writeFileSync(path, 'gates:\n  rules: { gate: seen }\n')
  await expect(loadGates(path)).rejects.toMatchObject({ code: 'gates_file_invalid' })
})

test.each(['off', 'no', 'yes', 'on', 'Off', "'off'"])('%s is no boolean by surprise: as a word it is unknown, as a flag told how to write it', (written) => {
  expect(problemsOf(`${RULE}typing:\n  mode: ${written}\n`)).toEqual([expect.stringContaining('gates.yml:7:9: `mode` must be')])
  expect(problemsOf(`${RULE}${MARK}      clear: ${written}\n`)).toEqual([
    'gates.yml:9:14: `clear` must be `true` or `false`, and this is text; write true or false, in small letters, without quotes',
  ])
})

test('a repeated key fails the load with both lines, in YAML and in JSON, in a rule and for a whole list', () => {
  expect(problemsOf(`${RULE}      otherwise: refuse\n      otherwise: hold\n`)).toEqual([
    'gates.yml:7:7: `otherwise` stands twice in this map, first on line 6; keep one of them',
  ])
  expect(problemsOf(`${RULE}  rules: []\n`)).toEqual(['gates.yml:6:3: `rules` stands twice in this map, first on line 2; keep one of them'])
  expect(problemsOf('{\n"gates": {"default": "refuse",\n"default": "allow"}}')).toEqual([
    'gates.yml:3:1: `default` stands twice in this map, first on line 2; keep one of them',
  ])
})

const NAMES = ['__proto__', 'constructor', 'toString']

test.each(NAMES)('a tool, a gate and an argument called %s are names like any other', (name) => {
  const parsed = parseGatesFile(JSON.stringify({
    gates: {
      rules: [{ gate: name, tools: [name], message: 'm', key: `args["${name}"]` }], marks: [{ gate: name, tools: [name] }],
      deny: [name], limits: [{ tools: [name], calls: 1 }], default: 'refuse',
    },
    typing: { mode: 'strict', tools: JSON.parse(`{"${name}":{"${name}":{"minimum":1}}}`) as unknown },
    examples: [{ call: { tool: name, args: JSON.parse(`{"${name}":{"admin":true}}`) as unknown }, expect: 'refuse' }],
  }))
  if (!parsed.ok) throw new Error(parsed.problems.map(formatProblem).join('\n'))
  const { rules: { rules: [rule], marks, deny, limits }, typing, examples } = parsed.gates
  expect([rule?.gate, rule?.tools, marks?.[0]?.gate, deny, limits?.[0]?.tools]).toEqual([name, [name], name, [name], [name]])
  expect(rule?.key?.evaluate({ args: JSON.parse(`{"${name}":"own"}`) as Record<string, string> })).toBe('own')
  expect(rule?.key?.evaluate({ args: {} })).toBeUndefined()
  expect(Object.keys(typing?.tools ?? {})).toEqual([name])
  expect(typing?.tools[name]?.[name]).toEqual({ minimum: 1 })
  expect(Object.entries(examples?.[0]?.call.args ?? {})).toEqual([[name, Object.assign(Object.create(null) as object, { admin: true })]])
  expect(({} as { readonly admin?: boolean }).admin).toBeUndefined()
})

test.each([
  ['keep: result.list.map(i, {"status": i.status})'],
  ['keep: {"status": result.status}'],
  ['keys: [result.id, args.id].filter(i, i != "")'],
  ['keys: "a" + result.id'],
  ['failedWhen: !result.ok'],
])('%s without quotes is told to stand in quotes, and does well in them', (line) => {
  const [problem] = problemsOf(`${RULE}${MARK}      ${line}\n`)
  expect(problem).toMatch(/^gates\.yml:9:.*; put (the expression|it) in quotes: /)
  const [, key = '', source = ''] = /^(\w+): (.*)$/.exec(line) ?? []
  expect(problemsOf(`${RULE}${MARK}      ${key}: '${source}'\n`)).toEqual([])
})

test('a whole number in an example that would be rounded is refused', () => {
  const text = (number: string): string => `${RULE}examples:\n  - { call: { tool: refund, args: { id: ${number} } }, expect: refuse }\n`
  expect(problemsOf(text('9007199254740993'))).toEqual([expect.stringContaining('gates.yml:7:41: `args` holds')])
  expect(problemsOf(text('9007199254740991'))).toEqual([])
  expect(problemsOf(text('1.5e300'))).toEqual([expect.stringContaining('holds')])
})

test.each([
  ['plain', 'when: args.total > foo', 26],
  ['in quotes', 'when: "args.total > foo"', 27],
  ['in single quotes', "when: 'args.total > foo'", 27],
  ['with an escape before it, at its beginning', 'when: "\\x61rgs.total > foo"', 13],
  ['folded, at its beginning', 'when: >-\n        args.total > foo', 13],
])('what is wrong in an expression %s is told where it stands', (_, line, column) => {
  expect(problemsOf(`${RULE}      ${line}\n`)).toEqual([
    `gates.yml:6:${column}: the expression of \`when\` is wrong: Unknown variable: foo; it is CEL over args`,
  ])
})

test('what the keys of a mark may be about is told where they go wrong', () => {
  const keys = (line: string) => problemsOf(`${RULE}  marks:\n    - gate: seen\n      ${line}\n`)
  expect(keys('tools: [look]\n      keys: args.id + text')).toEqual([
    'gates.yml:9:23: the expression of `keys` is wrong: Unknown variable: text; here it is CEL over args and result',
  ])
  expect(keys('from: user\n      keys: "text + args.id"')).toEqual([
    'gates.yml:9:21: the expression of `keys` is wrong: Unknown variable: args; here it is CEL over text',
  ])
})

/** A valid file: ten rules a tool, each with an expression, and every gate marked by a tool that is free. */
function manyRules(count: number): string {
  const rules = Array.from({ length: count }, (_, at) =>
    `    - gate: gate_${at % 500}\n      tools: [tool_${Math.floor(at / 10)}]\n      message: Run read_${at % 500} first.\n      when: args.total >= ${at}.0\n`)
  const marks = Array.from({ length: 500 }, (_, at) => `    - gate: gate_${at}\n      tools: [read_${at}]\n      keys: result.ids\n`)
  return `gates:\n  rules:\n${rules.join('')}  marks:\n${marks.join('')}`
}

test('a file of 10,000 rules with expressions is read, soon', () => {
  const text = manyRules(10_000)
  const start = performance.now()
  const parsed = parseGatesFile(text)
  expect(performance.now() - start).toBeLessThan(3_000)
  expect(parsed.ok && parsed.gates.rules.rules).toHaveLength(10_000)
  expect(parsed.ok && parsed.warnings).toEqual([])
  expect(parsed.ok && parsed.placeOf('/gates/rules/9999/when')).toEqual({ line: 40_002, column: 13 })
  expect(parsed.ok && parsed.gates.rules.rules[9_999]?.when?.evaluate({ args: { total: 9_999 } })).toBe(true)
})
