import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { PassThrough } from 'node:stream'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { expect, onTestFinished, test } from 'vitest'
import { startGateway, temporaryFolder } from './gateway.fixture.ts'
import type { RunningGateway } from './gateway.fixture.ts'
import type { StdioGatewayOptions } from './stdio-gateway-options.ts'

const { resolve } = createRequire(import.meta.url)
const EVERYTHING = [process.execPath, resolve('@modelcontextprotocol/server-everything/dist/index.js'), 'stdio']
const FILESYSTEM = [process.execPath, resolve('@modelcontextprotocol/server-filesystem/dist/index.js')]

/** What the client's own stdio transport does, over the streams of a gateway in this process. */
class StreamTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #gateway: RunningGateway
  readonly #buffer = new ReadBuffer()

  constructor(gateway: RunningGateway) {
    this.#gateway = gateway
  }

  async start(): Promise<void> {
    const { output } = this.#gateway
    output.on('data', (text: string) => {
      this.#buffer.append(Buffer.from(text))
      for (let message = this.#buffer.readMessage(); message !== null; message = this.#buffer.readMessage())
        this.onmessage?.(message)
    })
  }

  async send(message: JSONRPCMessage): Promise<void> {
    ;(this.#gateway.input satisfies PassThrough).write(serializeMessage(message))
  }

  async close(): Promise<void> {
    this.#gateway.input.end()
    await this.#gateway.exit
    this.onclose?.()
  }
}

type Connected = { readonly client: Client; readonly gateway: RunningGateway }
type Result = { readonly isError?: boolean; readonly content: readonly { readonly text?: string }[] }

async function connect(
  command: readonly string[],
  gates: StdioGatewayOptions['gates'],
  more: Partial<StdioGatewayOptions> = {},
): Promise<Connected> {
  const gateway = startGateway([], { command, gates, typing: { mode: 'strict' }, ...more })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamTransport(gateway))
  onTestFinished(() => client.close())
  return { client, gateway }
}

const call = async (client: Client, name: string, args: Record<string, unknown>): Promise<Result> =>
  (await client.callTool({ name, arguments: args })) as Result
const textOf = ({ content }: Result): string => content[0]?.text ?? ''

test('server-everything: tools are listed whole, a call runs, a refusal is a result, a repair is what the server gets', async () => {
  const { client } = await connect(EVERYTHING, {
    rules: [{ gate: 'echoed', tools: ['get-tiny-image'], message: 'Echo first.' }],
    marks: [{ gate: 'echoed', tools: ['echo'] }],
  })
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('get-sum')
  const refused = await call(client, 'get-tiny-image', {})
  expect([refused.isError, textOf(refused).split('\n')[0]]).toEqual([true, 'Echo first.'])
  expect(textOf(await call(client, 'echo', { message: 'hello' }))).toBe('Echo: hello')
  expect((await call(client, 'get-tiny-image', {})).isError).toBeUndefined()
  expect(textOf(await call(client, 'get-sum', { a: '2', b: 3 }))).toContain('5')
})

test('server-everything: progress, prompts, resources and completion pass', async () => {
  const { client } = await connect(EVERYTHING, { rules: [{ gate: 'x', tools: ['none'], message: 'No.' }], external: ['x'] })
  const progress: number[] = []
  await client.callTool({ name: 'trigger-long-running-operation', arguments: { duration: 1, steps: 3 } }, undefined, {
    onprogress: (step) => void progress.push(step.progress),
  })
  expect(progress).toEqual([1, 2, 3])
  expect((await client.listPrompts()).prompts.length).toBeGreaterThan(0)
  expect((await client.listResources()).resources.length).toBeGreaterThan(0)
  await client.ping()
})

test('server-filesystem: a write needs a read, a move needs a person and runs once', async () => {
  const folder = join(temporaryFolder(), 'files')
  mkdirSync(folder)
  writeFileSync(join(folder, 'a.txt'), 'one\ntwo\nthree')
  const gates = {
    rules: [
      { gate: 'read', tools: ['write_file'], message: 'Read the file first.' },
      { gate: 'confirm', tools: ['move_file'], message: 'Move this file?' },
    ],
    marks: [{ gate: 'read', tools: ['read_text_file'] }],
  }
  const { client, gateway } = await connect([...FILESYSTEM, folder], gates, { holdWaitMs: 300, timings: { holdPollMs: 20 } })
  const path = join(folder, 'a.txt')
  const move = { source: path, destination: join(folder, 'b.txt') }
  expect(textOf(await call(client, 'write_file', { path, content: 'x' }))).toContain('Read the file first.')
  expect(textOf(await call(client, 'read_text_file', { path, tail: '1' }))).toBe('three')
  expect((await call(client, 'write_file', { path, content: 'x' })).isError).toBeUndefined()
  expect(textOf(await call(client, 'move_file', move))).toContain('Waiting for approval')
  await gateway.approve((await gateway.hold()).id)
  expect((await call(client, 'move_file', move)).isError).toBeUndefined()
  expect(readFileSync(join(folder, 'b.txt'), 'utf8')).toBe('x')
  expect(textOf(await call(client, 'move_file', move))).toContain('Waiting for approval')
  expect(textOf(await call(client, 'mvoe_file', move))).toContain('"move_file"')
})
