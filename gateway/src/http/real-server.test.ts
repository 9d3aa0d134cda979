import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { expect, onTestFinished, test } from 'vitest'
import { startEverything, startRemoteGateway } from './remote/remote.fixture.ts'
import type { RunningRemoteGateway } from './remote/remote.fixture.ts'

/** What the client's own stdio transport does, over the streams of a gateway in this process. */
function transportOf(gateway: RunningRemoteGateway): Transport {
  const buffer = new ReadBuffer()
  const transport: Transport = {
    async start() {
      gateway.output.on('data', (text: string) => {
        buffer.append(Buffer.from(text))
        for (let message = buffer.readMessage(); message !== null; message = buffer.readMessage()) transport.onmessage?.(message)
      })
    },
    async send(message: JSONRPCMessage) {
      gateway.input.write(serializeMessage(message))
    },
    async close() {
      gateway.input.end()
      await gateway.exit
      transport.onclose?.()
    },
  }
  return transport
}

type Result = { readonly isError?: boolean; readonly content: readonly { readonly text?: string }[] }

test('server-everything over HTTP: tools, a refusal, a repair, progress, prompts, resources', { timeout: 30_000 }, async () => {
  const gateway = startRemoteGateway(await startEverything(), {
    gates: {
      rules: [{ gate: 'echoed', tools: ['get-tiny-image'], message: 'Echo first.' }],
      marks: [{ gate: 'echoed', tools: ['echo'] }],
    },
    typing: { mode: 'strict' },
  })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transportOf(gateway))
  onTestFinished(() => client.close())
  const call = async (name: string, args: Record<string, unknown>): Promise<Result> =>
    (await client.callTool({ name, arguments: args })) as Result
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('get-sum')
  expect((await call('get-tiny-image', {})).content[0]?.text).toContain('Echo first.')
  expect((await call('echo', { message: 'hello' })).content[0]?.text).toBe('Echo: hello')
  expect((await call('get-tiny-image', {})).isError).toBeUndefined()
  expect((await call('get-sum', { a: '2', b: 3 })).content[0]?.text).toContain('5')
  const progress: number[] = []
  await client.callTool({ name: 'trigger-long-running-operation', arguments: { duration: 1, steps: 3 } }, undefined, {
    onprogress: (step) => void progress.push(step.progress),
  })
  expect(progress).toEqual([1, 2, 3])
  expect((await client.listPrompts()).prompts.length).toBeGreaterThan(0)
  expect((await client.listResources()).resources.length).toBeGreaterThan(0)
  await client.close()
  expect(await gateway.exit).toBe(0)
})
