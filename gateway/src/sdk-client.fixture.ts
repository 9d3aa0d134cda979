import { readFileSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import type { Store } from '@callgate/core'
import type { CertifyHarness } from '@callgate/core/testing'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'

type Party = Awaited<ReturnType<CertifyHarness['open']>>
type Result = { readonly isError?: boolean; readonly content: readonly { readonly text?: string }[] }

/** The rules that `walkEverything` expects; typing must be on. */
export const EVERYTHING_GATES = {
  rules: [{ gate: 'echoed', tools: ['get-tiny-image'], message: 'Echo first.' }],
  marks: [{ gate: 'echoed', tools: ['echo'] }],
}

/** The SDK's own framing over the two ends of a gateway in this process; `leave` is awaited when the client closes. */
export function streamTransport(toGateway: Writable, fromGateway: Readable, leave: () => Promise<unknown> = () => Promise.resolve()): Transport {
  const buffer = new ReadBuffer()
  const transport: Transport = {
    async start() {
      fromGateway.on('data', (chunk: string) => {
        buffer.append(Buffer.from(chunk))
        for (let message = buffer.readMessage(); message !== null; message = buffer.readMessage()) transport.onmessage?.(message)
      })
    },
    async send(message) {
      toGateway.write(serializeMessage(message))
    },
    async close() {
      await leave()
      transport.onclose?.()
    },
  }
  return transport
}

/** Who is certified: an SDK client through a gateway, before the canary server that writes the calls it got into `file`. */
export function certified(client: Client, { file, store, close }: { readonly file: string; readonly store: Store; close(): Promise<void> }): Party {
  return {
    store,
    async call(tool, args) {
      const { content } = (await client.callTool({ name: tool, arguments: args })) as Result
      return content[0]?.text ?? ''
    },
    received: async () =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as { tool: string; args: unknown }),
    pause: () => new Promise((resolve) => setTimeout(resolve, 2)),
    close,
  }
}

/** Uses server-everything through a gateway: a listing, a refusal, a repair, progress, and what the gateway only hands on. */
export async function walkEverything(client: Client): Promise<unknown> {
  const call = async (name: string, args: Record<string, unknown>): Promise<Result> => (await client.callTool({ name, arguments: args })) as Result
  const firstLine = ({ content }: Result): string | undefined => content[0]?.text?.split('\n')[0]
  const hasTool = (await client.listTools()).tools.some(({ name }) => name === 'get-sum')
  const refused = await call('get-tiny-image', {})
  const echoed = await call('echo', { message: 'hello' })
  const opened = await call('get-tiny-image', {})
  const repaired = await call('get-sum', { a: '2', b: 3 })
  const progress: number[] = []
  await client.callTool({ name: 'trigger-long-running-operation', arguments: { duration: 1, steps: 3 } }, undefined, {
    onprogress: (step) => void progress.push(step.progress),
  })
  const handedOn = [(await client.listPrompts()).prompts.length > 0, (await client.listResources()).resources.length > 0, await client.ping()]
  return {
    hasTool, refused: [refused.isError, firstLine(refused)], echoed: firstLine(echoed), opened: opened.isError, repaired: firstLine(repaired), progress, handedOn,
  }
}

/** What `walkEverything` finds where the gateway does its work. */
export const EVERYTHING_WALKED: unknown = {
  hasTool: true,
  refused: [true, 'Echo first.'],
  echoed: 'Echo: hello',
  opened: undefined,
  repaired: 'The sum of 2 and 3 is 5.',
  progress: [1, 2, 3],
  handedOn: [true, true, {}],
}
