// A stdio server that does with each message what the test tells it. Every line it gets is appended to the file RECORD
// names, as it came. Told by its arguments: --pages N (tools over N pages), --no-tools, --silent (no answer to
// tools/list), --twice (a name stands twice), --stubborn (ignores SIGTERM and its stdin's end), --child (starts a process).
import { spawn } from 'node:child_process'
import { appendFileSync, writeFileSync } from 'node:fs'

const flags = process.argv.slice(2)
const has = (flag) => flags.includes(flag)
const valueOf = (flag) => (has(flag) ? flags[flags.indexOf(flag) + 1] : undefined)
const pages = Number(valueOf('--pages') ?? 1)
const limit = { type: 'integer', minimum: 0, maximum: 9007199254740991 }
const inputSchema = { type: 'object', properties: { limit, text: { type: 'string' } } }
const names = ['look', 'write', 'echo', 'fail', 'task', 'hang', 'die', 'raw', 'big', ...(has('--twice') ? ['write'] : [])]
let generation = 0
const tools = () => names.map((name) => ({ name, description: `${name} ${generation}`, inputSchema }))

const send = (text) => process.stdout.write(`${text}\n`)
const result = (id, value) => send(`{"jsonrpc":"2.0","id":${id},"result":${JSON.stringify(value)}}`)
const text = (value) => ({ content: [{ type: 'text', text: value }] })

function list(id, params) {
  if (has('--silent')) return
  if (has('--no-tools')) return send(`{"jsonrpc":"2.0","id":${id},"error":{"code":-32601,"message":"Method not found"}}`)
  const page = Number(params?.cursor ?? 0)
  const size = Math.ceil(tools().length / pages)
  const last = page + 1 >= pages
  result(id, { tools: tools().slice(page * size, (page + 1) * size), ...(last ? {} : { nextCursor: String(page + 1) }) })
}

function call(id, { name, arguments: args }, line) {
  if (name === 'hang') return
  if (name === 'die') process.exit(3)
  if (name === 'fail') return result(id, { ...text('failed'), isError: true })
  if (name === 'task') return result(id, { task: { taskId: 't1', status: 'working' } })
  if (name === 'raw') return process.stdout.write(args.text.replaceAll('$ID', id))
  if (name === 'big') return result(id, text('x'.repeat(args.limit)))
  result(id, text(name === 'echo' ? line : `${name} done`))
}

function take(line) {
  if (process.env.RECORD) appendFileSync(process.env.RECORD, `${line}\n`)
  const { id, method, params } = JSON.parse(line)
  const rawId = JSON.stringify(id)
  if (method === 'tools/list') list(rawId, params)
  else if (method === 'tools/call') call(rawId, params, line)
  else if (method === 'initialize') result(rawId, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'tools', version: '1' } })
  else if (method === 'notifications/test/change') {
    generation += 1
    send('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}')
  } else if (method === 'ping') result(rawId, {})
}

if (has('--child')) {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })
  writeFileSync(valueOf('--child'), String(child.pid))
}
if (has('--stubborn')) {
  process.on('SIGTERM', () => {})
  setInterval(() => {}, 1000)
}
let rest = ''
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\n')
  rest = lines.pop()
  for (const line of lines) if (line !== '') take(line)
})
