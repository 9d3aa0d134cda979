import type { PassThrough } from 'node:stream'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { onTestFinished } from 'vitest'
import { startGateway } from './gateway.fixture.ts'
import type { RunningGateway } from './gateway.fixture.ts'
import type { StdioGatewayOptions } from './stdio-gateway-options.ts'

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

/** Typing in the tier `strict`, which is what tests are about that say nothing else. */
export const TYPED = { typing: { mode: 'strict' } } as const satisfies Partial<StdioGatewayOptions>

/** A real client, connected to a real server through a gateway. */
export type Connected = { readonly client: Client; readonly gateway: RunningGateway }
/** A tool's result, as far as tests look at it. */
export type Result = { readonly isError?: boolean; readonly content: readonly { readonly text?: string }[] }

/** Connects the official client through a gateway before `command`; both end with the test. */
export async function connect(
  command: readonly string[],
  gates: StdioGatewayOptions['gates'],
  more: Partial<StdioGatewayOptions> = TYPED,
): Promise<Connected> {
  const gateway = startGateway([], { command, gates, ...more })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamTransport(gateway))
  onTestFinished(() => client.close())
  return { client, gateway }
}

/** Calls a tool as the official client does. */
export const call = async (client: Client, name: string, args: Record<string, unknown>): Promise<Result> =>
  (await client.callTool({ name, arguments: args })) as Result
/** The first text of a result. */
export const textOf = ({ content }: Result): string => content[0]?.text ?? ''
