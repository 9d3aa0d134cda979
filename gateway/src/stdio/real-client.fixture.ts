import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { onTestFinished } from 'vitest'
import { streamTransport } from '../sdk-client.fixture.ts'
import { startGateway } from './gateway.fixture.ts'
import type { RunningGateway } from './gateway.fixture.ts'
import type { StdioGatewayOptions } from './stdio-gateway-options.ts'

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
  const leave = (): Promise<number> => {
    gateway.input.end()
    return gateway.exit
  }
  await client.connect(streamTransport(gateway.input, gateway.output, leave))
  onTestFinished(() => client.close())
  return { client, gateway }
}

/** Calls a tool as the official client does. */
export const call = async (client: Client, name: string, args: Record<string, unknown>): Promise<Result> =>
  (await client.callTool({ name, arguments: args })) as Result
/** The first text of a result. */
export const textOf = ({ content }: Result): string => content[0]?.text ?? ''
