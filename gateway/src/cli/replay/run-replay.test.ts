import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { placeIn, tempFolder } from '../../state/temp-folder.fixture.ts'
import { runBin } from '../run-bin.fixture.ts'
import type { Ended } from '../run-bin.fixture.ts'
import { runHere } from '../run-here.fixture.ts'
import { runReplay } from './run-replay.ts'

const GATES = `gates:
  rules:
    - gate: order_read
      tools: [change_order]
      message: Read the order first.
      key: args.order_id
    - gate: confirm
      tools: [refund]
      message: Refund it?
      when: args.amount >= 100
  marks:
    - gate: order_read
      tools: [get_order]
      parse: json
      keys: result.order_id
`

const TOOLS = {
  tools: [
    { name: 'get_order', inputSchema: { type: 'object', properties: { order_id: { type: 'integer' } }, required: ['order_id'] } },
    { name: 'change_order', inputSchema: { type: 'object', properties: { order_id: { type: 'integer' } } } },
  ],
}

type Call = readonly [tool: string, args: object, result: string]

function lineOf(id: string, ...calls: readonly Call[]): string {
  const messages = calls.flatMap(([name, args, content], at) => [
    { role: 'assistant', tool_calls: [{ id: String(at), type: 'function', function: { name, arguments: JSON.stringify(args) } }] },
    { role: 'tool', tool_call_id: String(at), content },
  ])
  return `${JSON.stringify({ id, messages })}\n`
}

const RUNS = lineOf('a', ['get_order', { order_id: 7 }, '{"order_id":7}'], ['change_order', { order_id: 7 }, 'ok'], ['change_order', { order_id: 8 }, 'ok'])
  + lineOf('b', ['refund', { amount: 99 }, 'ok'], ['refund', { amount: 100 }, 'ok'])

/** A folder with rules, runs and tools. */
function workplace(): string {
  const folder = tempFolder()
  writeFileSync(join(folder, 'gates.yml'), GATES)
  writeFileSync(join(folder, 'runs.jsonl'), RUNS)
  writeFileSync(join(folder, 'tools.json'), JSON.stringify(TOOLS))
  return folder
}

async function replayIn(folder: string, ...args: readonly string[]): Promise<Ended> {
  return runHere(['replay', ...args, '--gates', 'gates.yml'], folder)
}

const SUMMARY = {
  traces: 2,
  calls: 5,
  ran: 3,
  refused: 1,
  held: 1,
  repaired: 0,
  unreadable: 0,
  byRule: [{ rule: 'order_read', line: 3, refused: 1, held: 0 }, { rule: 'confirm', line: 7, refused: 0, held: 1 }],
}

test('a table by rule, and nothing on stderr', async () => {
  expect(await replayIn(workplace(), 'runs.jsonl')).toEqual({
    code: 0,
    stderr: '',
    stdout: '2 traces, 5 calls: 3 ran, 0 repaired, 1 refused, 1 held\n\nrule        line  refused  held\norder_read  3     1        0\nconfirm     7     0        1\n',
  })
})

test('--json is one document, and --each adds the verdicts', async () => {
  const folder = workplace()
  const [plain, each] = [await replayIn(folder, 'runs.jsonl', '--json'), await replayIn(folder, 'runs.jsonl', '--json', '--each')]
  expect(JSON.parse(plain.stdout)).toEqual(SUMMARY)
  expect(JSON.parse(each.stdout)).toEqual({
    ...SUMMARY,
    verdicts: [
      { trace: 'a', call: 0, tool: 'get_order', verdict: 'ran' },
      { trace: 'a', call: 1, tool: 'change_order', verdict: 'ran' },
      { trace: 'a', call: 2, tool: 'change_order', verdict: 'refused', rule: 'order_read' },
      { trace: 'b', call: 0, tool: 'refund', verdict: 'ran' },
      { trace: 'b', call: 1, tool: 'refund', verdict: 'held', rule: 'confirm' },
    ],
  })
  expect(each.stdout.endsWith('}\n')).toBe(true)
})

test('--each lists the calls before the sums', async () => {
  const { stdout } = await replayIn(workplace(), 'runs.jsonl', '--each')
  expect(stdout.split('\n').slice(0, 7)).toEqual([
    'a  0  ran       get_order',
    'a  1  ran       change_order',
    'a  2  refused   change_order  by order_read, line 3',
    'b  0  ran       refund',
    'b  1  held      refund  by confirm, line 7',
    '',
    '2 traces, 5 calls: 3 ran, 0 repaired, 1 refused, 1 held',
  ])
})

test('an empty file is no trace, in JSON too', async () => {
  const folder = workplace()
  writeFileSync(join(folder, 'none.jsonl'), '')
  const { stdout, code } = await replayIn(folder, 'none.jsonl', '--json', '--each', '--fail')
  expect([JSON.parse(stdout), code]).toEqual([{ traces: 0, calls: 0, ran: 0, refused: 0, held: 0, repaired: 0, unreadable: 0, byRule: [], verdicts: [] }, 0])
})

test('--fail ends with 1 where a call was refused or held, and only there', async () => {
  const folder = workplace()
  writeFileSync(join(folder, 'good.jsonl'), lineOf('c', ['get_order', { order_id: 1 }, '{"order_id":1}']))
  writeFileSync(join(folder, 'held.jsonl'), lineOf('c', ['refund', { amount: 100 }, 'ok']))
  expect((await replayIn(folder, 'runs.jsonl', '--fail')).code).toBe(1)
  expect((await replayIn(folder, 'held.jsonl', '--fail')).code).toBe(1)
  expect((await replayIn(folder, 'held.jsonl', '--fail', '--hold', 'allow')).code).toBe(0)
  expect((await replayIn(folder, 'good.jsonl', '--fail')).code).toBe(0)
})

test('several files and gzip are one replay', async () => {
  const folder = workplace()
  writeFileSync(join(folder, 'runs.jsonl.gz'), gzipSync(RUNS))
  expect((await replayIn(folder, 'runs.jsonl', 'runs.jsonl.gz')).stdout).toContain('4 traces, 10 calls')
})

test('lines that cannot be read are named on stderr, the first 20, and the rest is replayed', async () => {
  const folder = workplace()
  writeFileSync(join(folder, 'bad.jsonl'), `${'{\u001b[31m\n'.repeat(22)}${RUNS}`)
  const { code, stdout, stderr } = await replayIn(folder, 'bad.jsonl')
  expect(code).toBe(0)
  expect(stdout).toMatch(/^2 traces, 5 calls: .*\n22 lines could not be read\n\nrule/)
  expect(JSON.parse((await replayIn(folder, 'bad.jsonl', '--json')).stdout)).toEqual({ ...SUMMARY, unreadable: 22 })
  expect(stderr.split('\n')).toEqual([
    ...Array.from({ length: 20 }, (_, at) => `callgate: ${join(folder, 'bad.jsonl')}:${at + 1} was left out: it is no JSON`),
    'callgate: 22 lines were left out in all',
    '',
  ])
})

test('with --tools, a tool that is not listed is refused, and arguments are typed and judged as live', async () => {
  const folder = workplace()
  writeFileSync(join(folder, 'gates.yml'), `${GATES}typing:\n  mode: strict\n`)
  writeFileSync(join(folder, 'runs.jsonl'), lineOf('a', ['get_order', { order_id: '7' }, '{"order_id":7}'], ['change_order', { order_id: '7' }, 'ok'], ['change_order', { order_id: 'seven' }, 'ok'], ['refund', {}, 'ok']))
  const { stdout } = await replayIn(folder, 'runs.jsonl', '--tools', 'tools.json', '--json')
  expect(JSON.parse(stdout)).toMatchObject({ ran: 0, repaired: 2, refused: 2, byRule: expect.arrayContaining([{ rule: 'unlisted', refused: 1, held: 0 }]) })
  expect(JSON.parse((await replayIn(folder, 'runs.jsonl', '--json')).stdout)).toMatchObject({ repaired: 0 })
})

test('--html writes one whole page beside the answer, and leaves no draft', async () => {
  const folder = workplace()
  writeFileSync(join(folder, 'report.html'), 'the old one')
  const { code, stdout } = await replayIn(folder, 'runs.jsonl', '--html', 'report.html')
  expect([code, stdout]).toEqual([0, expect.stringContaining('2 traces')])
  const page = readFileSync(join(folder, 'report.html'), 'utf8')
  expect(page).toMatch(/^<!doctype html>[^]*<h1>callgate replay of gates.yml<\/h1>[^]*Read the order first\.[^]*<\/html>\n$/)
  expect(readdirSync(folder).toSorted()).toEqual(['gates.yml', 'report.html', 'runs.jsonl', 'tools.json'])
})

test('a report that cannot be written at the end leaves the answer whole', async () => {
  const folder = workplace()
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  let text = ''
  stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part
    mkdirSync(join(folder, 'report.html'), { recursive: true })
  })
  const surroundings = { ...placeIn(folder), stdin: new PassThrough(), stdout, stderr }
  await expect(runReplay(['runs.jsonl'], { gates: 'gates.yml', hold: 'block', json: true, each: true, html: 'report.html' }, surroundings)).rejects.toMatchObject({ code: 'invalid_option' })
  expect(JSON.parse(text)).toMatchObject(SUMMARY)
})

test.each<[string, readonly string[], string]>([
  ['no trace', [], "missing required argument 'trace'"],
  ['tools that are not there', ['runs.jsonl', '--tools', 'none.json'], 'none.json'],
  ['tools that are none', ['runs.jsonl', '--tools', 'runs.jsonl'], 'runs.jsonl'],
  ['a hold that is neither', ['runs.jsonl', '--hold', 'maybe'], 'block, allow'],
  ['a report without a name', ['runs.jsonl', '--html', ''], 'Name a file'],
  ['a report in no folder', ['runs.jsonl', '--each', '--json', '--html', 'none/report.html'], 'report.html cannot be written: ENOENT'],
  ['a report that is a folder', ['runs.jsonl', '--each', '--json', '--html', 'folder'], 'folder cannot be written: EISDIR'],
])('with %s it could not run', async (_what, args, words) => {
  const folder = workplace()
  mkdirSync(join(folder, 'folder'))
  const ended = await replayIn(folder, ...args)
  expect(ended.stderr).toContain(words)
  expect([ended.code, ended.stdout]).toEqual([2, ''])
})

test.each<[string, string, string]>([
  ['is not there', 'none.jsonl', 'there is no such file'],
  ['is a folder', 'folder', 'it is a folder; name the files in it'],
  ['is gzip of two bytes', 'two.gz', 'it is gzip that ends too early'],
  ['is gzip that ends within its first line', 'cut.gz', 'it is gzip that ends too early'],
])('a file that %s is named, the rest is replayed, and the end is 2', async (_what, name, why) => {
  const folder = workplace()
  mkdirSync(join(folder, 'folder'))
  writeFileSync(join(folder, 'two.gz'), Uint8Array.from([0x1f, 0x8b]))
  writeFileSync(join(folder, 'cut.gz'), gzipSync(RUNS).subarray(0, 60))
  const { code, stdout, stderr } = await replayIn(folder, 'runs.jsonl', name, 'runs.jsonl', '--json', '--each', '--fail')
  expect([code, JSON.parse(stdout)]).toMatchObject([2, { traces: 4, calls: 10, unreadable: 1 }])
  expect(stderr).toBe(`callgate: ${join(folder, name)}:1 and what comes after it could not be read: ${why}\n`)
})

test('of gzip that ends too early all whole lines are replayed, and the file is named with the line', async () => {
  const folder = workplace()
  const lines = Array.from({ length: 400 }, (_, at) => lineOf(`${at} ${Math.sin(at)}`, ['refund', { amount: 1 }, 'ok'])).join('')
  const whole = gzipSync(lines)
  writeFileSync(join(folder, 'cut.gz'), whole.subarray(0, whole.length - 400))
  const { code, stdout, stderr } = await replayIn(folder, 'cut.gz', 'runs.jsonl', '--json', '--each')
  const { traces: all } = JSON.parse(stdout) as { readonly traces: number }
  const traces = all - 2
  expect(traces).toBeLessThan(400)
  expect(traces).toBeGreaterThan(350)
  expect([code, stderr]).toEqual([0, `callgate: ${join(folder, 'cut.gz')}:${traces + 1} and what comes after it could not be read: it is gzip that ends too early\n`])
})

test('where no trace at all could be read the end is 2, and the answer says of how many lines', async () => {
  const folder = workplace()
  writeFileSync(join(folder, 'bad.jsonl'), 'x\n{"name":"y"}\n')
  const { code, stdout } = await replayIn(folder, 'bad.jsonl', '--json', '--each')
  expect([code, JSON.parse(stdout)]).toEqual([2, { traces: 0, calls: 0, ran: 0, refused: 0, held: 0, repaired: 0, unreadable: 2, byRule: [], verdicts: [] }])
})

test('what should have marked and did not is said once a kind', async () => {
  const folder = workplace()
  writeFileSync(join(folder, 'runs.jsonl'), lineOf('a', ['get_order', { order_id: 7 }, 'seven'], ['get_order', { order_id: 8 }, 'eight'], ['change_order', { order_id: 7 }, 'ok']))
  const { stdout, stderr } = await replayIn(folder, 'runs.jsonl', '--json')
  expect(JSON.parse(stdout)).toMatchObject({ ran: 2, refused: 1 })
  expect(stderr).toMatch(/^callgate: warning: .*order_read.*no JSON.*\ncallgate: 1 more warnings like these were not shown\n$/)
})

test('text that is called .gz is read as text', async () => {
  const folder = workplace()
  writeFileSync(join(folder, 'text.gz'), RUNS)
  expect(await replayIn(folder, 'text.gz')).toMatchObject({ code: 0, stdout: expect.stringContaining('2 traces, 5 calls'), stderr: '' })
})

test('without a gates file, or with a broken one, it could not run', async () => {
  const folder = workplace()
  writeFileSync(join(folder, 'bad.yml'), 'gates:\n  rulez: []\n')
  for (const [args, words] of [[[], '--gates'], [['--gates', 'none.yml'], 'none.yml'], [['--gates', 'bad.yml'], 'bad.yml:2:3']] as const) {
    expect(await runHere(['replay', 'runs.jsonl', ...args], folder)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(words) })
  }
})

test('the program itself replays, and draws nothing where stderr is no terminal', async () => {
  const folder = workplace()
  const ended = await runBin(['replay', 'runs.jsonl', '--gates', 'gates.yml', '--json', '--fail'], folder)
  expect([ended.code, ended.stderr, JSON.parse(ended.stdout)]).toEqual([1, '', SUMMARY])
})
