import { fileURLToPath } from 'node:url'
import { CallgateError } from '@callgate/core'
import { notInstalled } from './find-server.ts'

const CALL_TIMEOUT_MS = 20_000
const MAX_STDERR = 16_384

/** The command line's own program, which the demo starts as a user would. */
export const CALLGATE_BIN: string = fileURLToPath(new URL('../../bin/callgate.js', import.meta.url))

/** What the model would read of one call. */
export type DemoResult = { readonly text: string; readonly isError: boolean }

/** A real MCP client with `callgate run` as its server. */
export type DemoClient = {
  /** Rejects with `server_failed` where no answer comes. */
  call(tool: string, args: Readonly<Record<string, unknown>>): Promise<DemoResult>
  close(): Promise<void>
}

/** Starts `callgate` with `args` and connects to it. Rejects: `unsupported` without the SDK, `server_failed` where it does not start. */
export async function connectDemoClient(args: readonly string[], env: Readonly<Record<string, string>>): Promise<DemoClient> {
  const { Client, StdioClientTransport } = await importSdk()
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CALLGATE_BIN, ...args],
    env: { ...env },
    stderr: 'pipe',
  })
  let stderr = ''
  transport.stderr?.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString()).slice(-MAX_STDERR)
  })
  const client = new Client({ name: 'callgate-demo', version: '1' })
  const failed = (what: string, cause: unknown): CallgateError =>
    new CallgateError(
      'server_failed',
      `${what} (${(cause as Error).message}). The gateway wrote:\n${stderr.trimEnd() || '(nothing)'}`,
      { cause },
    )
  try {
    await client.connect(transport, { timeout: CALL_TIMEOUT_MS })
    await client.listTools(undefined, { timeout: CALL_TIMEOUT_MS })
  } catch (cause) {
    await client.close()
    throw failed('callgate run did not start', cause)
  }
  return {
    async call(tool, toolArgs) {
      try {
        return resultOf(
          await client.callTool({ name: tool, arguments: { ...toolArgs } }, undefined, { timeout: CALL_TIMEOUT_MS }),
        )
      } catch (cause) {
        throw failed(`${tool} got no answer`, cause)
      }
    },
    close: async () => await client.close(),
  }
}

async function importSdk(): Promise<{
  readonly Client: typeof import('@modelcontextprotocol/sdk/client/index.js').Client
  readonly StdioClientTransport: typeof import('@modelcontextprotocol/sdk/client/stdio.js').StdioClientTransport
}> {
  try {
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js')
    const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js')
    return { Client, StdioClientTransport }
  } catch (cause) {
    throw notInstalled('@modelcontextprotocol/sdk', cause)
  }
}

function resultOf(result: { readonly [key: string]: unknown }): DemoResult {
  const content = Array.isArray(result['content']) ? (result['content'] as readonly { readonly text?: unknown }[]) : []
  const texts = content.flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
  return { text: texts.join('\n'), isError: result['isError'] === true }
}
