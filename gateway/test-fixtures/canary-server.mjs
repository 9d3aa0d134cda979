// An MCP server (SDK) whose tools write what they receive to the file RECEIVED; TOOLS names them, `fails` among their flags.
import { appendFileSync } from 'node:fs'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'

const tools = JSON.parse(process.env.TOOLS)
const inputSchema = { type: 'object', properties: { n: { type: 'integer' }, note: { type: 'string' }, deep: { type: 'object' } } }
const server = new Server({ name: 'canary', version: '1' }, { capabilities: { tools: {} } })

server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(({ name }) => ({ name, inputSchema })) }))
server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
  appendFileSync(process.env.RECEIVED, `${JSON.stringify({ tool: params.name, args: params.arguments })}\n`)
  const isError = tools.find(({ name }) => name === params.name).fails
  return { content: [{ type: 'text', text: 'sung' }], isError }
})
await server.connect(new StdioServerTransport())
