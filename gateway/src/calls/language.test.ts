import { parseGatesFile } from '@callgate/gates-file'
import { expect, test } from 'vitest'
import { callLine, line, wire } from './relay.fixture.ts'
import type { Wired } from './relay.fixture.ts'
import { loadTyping } from './tool-typing.ts'

const GATES = `gates:
  rules:
    - gate: order_read
      tools: [change]
      key: args.order_id
      require: fact.status == "pending"
      message: Read the order first.
    - gate: confirm
      annotations: { destructiveHint: true }
      unannotated: false
      message: "Run {tool}?"
  marks:
    - gate: order_read
      tools: [read]
      keys: result.id
      keep: '{"status": result.status}'
    - gate: order_read
      tools: [read_text]
      parse: json
      keys: result.id
      keep: '{"status": result.status}'
  limits:
    - { tools: [ping], calls: 1 }
`

const ORDER = '{"type":"object","properties":{"order_id":{"type":"string"}},"required":["order_id"]}'
const TOOLS = `{"tools":[{"name":"read"},{"name":"read_text"},{"name":"ping"},{"name":"change","inputSchema":${ORDER}},{"name":"wipe","annotations":{"destructiveHint":true}},{"name":"tidy"}]}`

async function start(more = ''): Promise<Wired> {
  const parsed = parseGatesFile(GATES + more)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  const wired = wire({}, { gates: parsed.gates.rules, typing: await loadTyping(undefined) })
  wired.relay.fromClient(line('{"jsonrpc":"2.0","id":"l","method":"tools/list"}'))
  wired.relay.fromServer(line(`{"jsonrpc":"2.0","id":"l","result":${TOOLS}}`))
  wired.toClient.length = wired.toServer.length = 0
  return wired
}

/** What the client reads of a call that the server answers with `result` where it is forwarded. */
async function call(wired: Wired, id: number, tool: string, args = '{}', result = '{"content":[]}'): Promise<string> {
  wired.toClient.length = wired.toServer.length = 0
  wired.relay.fromClient(callLine(id, tool, `,"arguments":${args}`))
  await wired.settle()
  if (wired.toServer.length > 0) wired.relay.fromServer(line(`{"jsonrpc":"2.0","id":${id},"result":${result}}`))
  await wired.settle()
  return wired.toServer.length > 0 ? 'ran' : (wired.toClient.at(-1) ?? 'waits')
}

test('a key is taken from the structured content of a result, and another one stays closed', async () => {
  const wired = await start()
  expect(await call(wired, 1, 'change', '{"order_id":"A"}')).toContain('Read the order first.')
  expect(await call(wired, 2, 'read', '{}', '{"content":[],"structuredContent":{"id":"A","status":"pending"}}')).toBe('ran')
  expect(await call(wired, 3, 'change', '{"order_id":"A"}')).toBe('ran')
  expect(await call(wired, 4, 'change', '{"order_id":"B"}')).toContain('is not marked for \\"B\\"')
})

test('text counts only where the mark says that it is parsed', async () => {
  const text = JSON.stringify({ content: [{ type: 'text', text: '{"id":"A","status":"pending"}' }] })
  const wired = await start()
  await call(wired, 1, 'read', '{}', text)
  expect(await call(wired, 2, 'change', '{"order_id":"A"}')).toContain('Read the order first.')
  await call(wired, 3, 'read_text', '{}', text)
  expect(await call(wired, 4, 'change', '{"order_id":"A"}')).toBe('ran')
})

test('a fact that does not allow the call refuses it', async () => {
  const wired = await start()
  await call(wired, 1, 'read', '{}', '{"content":[],"structuredContent":{"id":"A","status":"done"}}')
  expect(await call(wired, 2, 'change', '{"order_id":"A"}')).toContain('does not say so')
})

test.each([
  ['that do not satisfy the schema', '{"order_id":7}'],
  ['with a name in another case', '{"order_id":"A","Order_Id":"B"}'],
])('arguments %s are refused where a rule looks at them, although nothing is typed', async (_, args) => {
  const wired = await start()
  await call(wired, 1, 'read', '{}', '{"content":[],"structuredContent":{"id":"A","status":"pending"}}')
  expect(await call(wired, 2, 'change', args)).toContain('cannot be relied on')
})

test('a rule goes by what the server says of its tool', async () => {
  const wired = await start()
  expect(await call(wired, 1, 'wipe')).toBe('waits')
  expect(await call(wired, 2, 'tidy')).toBe('ran')
  const [hold] = await wired.store.holds.list({ limit: 5 })
  expect(hold).toMatchObject({ question: 'Run wipe?', tool: 'wipe' })
})

test('names that the server does not have are told once it has listed its tools', async () => {
  const wired = await start('  deny: [tidi]\n')
  await expect.poll(() => wired.logged).toEqual(['warning: the gates file: the server has no tool `tidi`; did you mean `tidy`?'])
})

test('a limit counts the calls that ran', async () => {
  const wired = await start()
  expect(await call(wired, 1, 'ping')).toBe('ran')
  expect(await call(wired, 2, 'ping')).toContain('at most 1 of them may run in this session')
})

test('a tool that the server does not list is refused as such, unless the file leaves it to the rules', async () => {
  expect(await call(await start(), 1, 'nowhere')).toContain('The server lists no tool')
  expect(await call(await start('  unlisted: allow\n'), 1, 'nowhere')).toBe('ran')
})
