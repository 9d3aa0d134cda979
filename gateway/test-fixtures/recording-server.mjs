// A stdio server whose tools are those in the JSON file that its argument names, as `tools/list` gives them. Every line it
// gets is appended to the file RECORD names, as it came; a call is answered with its own line, the text of a tool's result,
// one of `fail` with a result that is an error, one of `error` with an error of the protocol.
import { appendFileSync, readFileSync } from 'node:fs'

const tools = readFileSync(process.argv[2], 'utf8')
const result = (id, text) => process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${text}}\n`)

function take(line) {
  if (process.env.RECORD) appendFileSync(process.env.RECORD, `${line}\n`)
  const { id, method, params } = JSON.parse(line)
  if (method === 'initialize') result(id, JSON.stringify({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'recording', version: '1' } }))
  else if (method === 'tools/list') result(id, `{"tools":${tools}}`)
  else if (method !== 'tools/call') return
  else if (params.name === 'error') process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":{"code":-32602,"message":"no"}}\n`)
  else result(id, JSON.stringify({ content: [{ type: 'text', text: line }], isError: params.name === 'fail' }))
}

let rest = ''
process.stdin.setEncoding('utf8').on('data', (chunk) => {
  const lines = (rest + chunk).split('\n')
  rest = lines.pop()
  for (const line of lines) if (line !== '') take(line)
})
