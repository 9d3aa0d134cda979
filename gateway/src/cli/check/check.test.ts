import { createRequire } from 'node:module'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempFolder } from '../../state/temp-folder.fixture.ts'
import { runHere } from '../run-here.fixture.ts'
import type { Ended } from '../run-bin.fixture.ts'

const GATES = `gates:
  rules:
    - gate: listed
      tools: [set_status]
      message: List first.
  marks:
    - gate: listed
      tools: [list_all]
`

async function check(text: string, ...args: readonly string[]): Promise<Ended> {
  const folder = tempFolder()
  writeFileSync(join(folder, 'gates.yml'), text)
  writeFileSync(join(folder, 'tools.json'), JSON.stringify({ tools: [{ name: 'list_all', inputSchema: {} }, { name: 'set_status' }] }))
  return runHere(['check', 'gates.yml', ...args], folder)
}

const json = ({ stdout }: Ended): unknown => JSON.parse(stdout)

test('a file without a fault exits with 0 and says so', async () => {
  expect(await check(GATES)).toEqual({ code: 0, stdout: 'gates.yml: nothing is wrong\n', stderr: '' })
  expect(json(await check(GATES, '--tools', 'tools.json', '--json'))).toEqual({ ok: true, problems: [] })
})

test('an error exits with 1 and stands with its line, code and hint', async () => {
  const ended = await check(GATES.replace('[set_status]', '[set_staus]'), '--tools', 'tools.json')
  expect(ended).toMatchObject({ code: 1, stderr: '' })
  expect(ended.stdout).toBe('gates.yml:4:15: error unknown_tool: the server has no tool `set_staus`; did you mean `set_status`?\ngates.yml: 1 error, 0 warnings\n')
  const asJson = await check(GATES.replace('[set_status]', '[set_staus]'), '--tools', 'tools.json', '--json')
  expect(json(asJson)).toEqual({
    ok: false,
    problems: [{ code: 'unknown_tool', severity: 'error', message: 'the server has no tool `set_staus`', line: 4, column: 15, hint: 'did you mean `set_status`?' }],
  })
})

test('a file that cannot be read as one is told in the same shape', async () => {
  const ended = await check(GATES.replace('message', 'mesage'), '--json')
  expect(ended.code).toBe(1)
  expect(json(ended)).toMatchObject({ ok: false, problems: [expect.objectContaining({ code: 'unknown_key', line: 5 }) as unknown] })
})

test('a warning alone exits with 0', async () => {
  const ended = await check(`${GATES}  deny: [set_status]\n`, '--json')
  expect(ended.code).toBe(0)
  expect(json(ended)).toMatchObject({ ok: true, problems: [{ code: 'denied_rule', severity: 'warning', line: 3 }] })
})

test('a gate that nothing marks is an error before it runs', async () => {
  const ended = await check(GATES.split('  marks')[0] ?? '', '--json')
  expect(ended.code).toBe(1)
  expect(json(ended)).toMatchObject({ problems: [{ code: 'gate_never_marked', severity: 'error', line: 3 }] })
})

test('a failing example is an error at the example', async () => {
  const ended = await check(`${GATES}examples:\n  - call: { tool: set_status }\n    expect: run\n`)
  expect(ended.code).toBe(1)
  expect(ended.stdout).toContain('gates.yml:10:5: error failing_example: the call of `set_status` is to run, and the rules say refuse by `listed`')
})

test('an example is typed as a live call would be', async () => {
  const text = `gates:
  rules:
    - gate: confirm
      tools: [pay]
      message: Pay?
      when: args.amount > 100
examples:
  - call: { tool: pay, args: { amount: 200 } }
    expect: hold
    by: confirm
  - call: { tool: pay, args: { amount: 20 } }
    expect: run
`
  expect(await check(text)).toMatchObject({ code: 0 })
})

test('the tools that are known vouch for names everywhere in the file, and for the arguments of examples', async () => {
  const text = `${GATES}typing:
  mode: strict
  tools:
    set_statos: { limit: { maximum: 10 } }
examples:
  - call: { tool: list_al }
    expect: run
  - call: { tool: list_all, args: { limit: ten } }
    expect: run
`
  const folder = tempFolder()
  writeFileSync(join(folder, 'gates.yml'), text)
  const schema = { type: 'object', properties: { limit: { type: 'integer' } } }
  writeFileSync(join(folder, 'tools.json'), JSON.stringify([{ name: 'list_all', inputSchema: schema }, { name: 'set_status' }]))
  const ended = await runHere(['check', 'gates.yml', '--tools', 'tools.json', '--json'], folder)
  expect(ended.code).toBe(1)
  const { problems } = json(ended) as { readonly problems: readonly { readonly code: string; readonly line: number }[] }
  expect(problems.map(({ code, line }) => [code, line])).toEqual([['unknown_tool', 12], ['failing_example', 14], ['unknown_tool', 14], ['failing_example', 16]])
})

test('rules about annotations are held against what the tools say', async () => {
  const folder = tempFolder()
  writeFileSync(join(folder, 'gates.yml'), 'gates:\n  rules:\n    - { gate: confirm, annotations: { destructiveHint: true }, unannotated: false, message: Sure? }\nexamples:\n  - { call: { tool: drop }, expect: hold }\n')
  for (const [hint, code] of [[true, 0], [false, 1]] as const) {
    writeFileSync(join(folder, 'tools.json'), JSON.stringify({ tools: [{ name: 'drop', annotations: { destructiveHint: hint } }] }))
    const ended = await runHere(['check', 'gates.yml', '--tools', 'tools.json'], folder)
    expect(ended.code).toBe(code)
    expect(ended.stdout.includes('no_tool_selected')).toBe(!hint)
  }
})

test('however many gates nothing marks, each is told once', async () => {
  const rules = Array.from({ length: 150 }, (_, at) => `    - { gate: g${at}, tools: [x], message: m }\n`)
  const ended = await check(`gates:\n  rules:\n${rules.join('')}`, '--json')
  const { problems } = json(ended) as { readonly problems: readonly { readonly code: string }[] }
  expect(problems).toHaveLength(150)
  expect(new Set(problems.map(({ code }) => code))).toEqual(new Set(['gate_never_marked']))
})

test('a server is asked over all its pages, and what it lists without a name is left out', async () => {
  const folder = tempFolder()
  writeFileSync(join(folder, 'server.mjs'), `import { createInterface } from 'node:readline'
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) continue
  const page = params.cursor === undefined ? { tools: [null, { name: 'list_all' }], nextCursor: 'p2' } : { tools: [{ name: 'set_status' }, {}] }
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result: method === 'initialize' ? {} : page }))
}
`)
  writeFileSync(join(folder, 'gates.yml'), `server: { command: [${JSON.stringify(process.execPath)}, server.mjs] }\n${GATES}`)
  expect(await runHere(['check', 'gates.yml', '--server'], folder)).toEqual({ code: 0, stdout: 'gates.yml: nothing is wrong\n', stderr: '' })
})

test("the file's own server is asked for its tools", async () => {
  const server = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-filesystem/dist/index.js')
  const folder = tempFolder()
  const text = `server:\n  command: [${JSON.stringify(process.execPath)}, ${JSON.stringify(server)}, ${JSON.stringify(folder)}]\n`
  const ended = await check(`${text}gates:\n  rules:\n    - { gate: confirm, tools: [move_file, moov_file], message: Move? }\n`, '--server', '--json')
  expect(json(ended)).toMatchObject({ problems: [{ code: 'unknown_tool', hint: 'did you mean `move_file`?' }] })
})

test.each([
  [['check'], 'Name the gates file'],
  [['check', 'none.yml'], 'no gates file'],
  [['check', 'gates.yml', '--server', '--tools', 'tools.json'], 'cannot be used with'],
  [['check', 'gates.yml', '--server'], 'names no server'],
  [['check', 'gates.yml', '--tools', 'none.json'], 'cannot be read'],
  [['check', 'gates.yml', '--tools', 'gates.yml'], 'cannot be read'],
])('%j exits with 2 and says what is wrong', async (args, words) => {
  const folder = tempFolder()
  writeFileSync(join(folder, 'gates.yml'), GATES)
  const ended = await runHere(args, folder)
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  expect(ended.stderr).toContain(words)
})

test('a server that ends before it answers is told', async () => {
  const ended = await check(`server: { command: [${JSON.stringify(process.execPath)}, -e, "process.exit(3)"] }\n${GATES}`, '--server')
  expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('it ended with 3') as string })
})

test('--schema prints the JSON Schema of the format', async () => {
  const ended = await runHere(['check', '--schema'], tempFolder())
  expect(ended.code).toBe(0)
  expect(json(ended)).toMatchObject({ title: 'callgate gates file', type: 'object' })
})
