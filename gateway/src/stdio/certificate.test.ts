import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js'
import { certify } from '@callgate/core/testing'
import type { CertifyHarness } from '@callgate/core/testing'
import { expect, test } from 'vitest'
import { ADAPTER } from '../calls/create-relay.ts'
import { fixturePath, startGateway, temporaryFolder } from './gateway.fixture.ts'

/** The SDK's own framing over the two ends of a gateway in this process. */
function streamTransport(toGateway: Writable, fromGateway: Readable): Transport {
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
      transport.onclose?.()
    },
  }
  return transport
}

const harness: CertifyHarness = {
  async open({ gates, tools }) {
    const file = join(temporaryFolder(), 'received.jsonl')
    writeFileSync(file, '')
    const gateway = startGateway([], {
      command: [process.execPath, fixturePath('canary-server.mjs')],
      env: { ...process.env, TOOLS: JSON.stringify(tools), RECEIVED: file },
      gates,
      typing: { mode: 'strict', lowercaseBooleans: true, invalid: 'refuse' },
      holdWaitMs: 5_000,
      timings: { holdPollMs: 5 },
    })
    const client = new Client({ name: 'model', version: '1' })
    await client.connect(streamTransport(gateway.input, gateway.output))
    return {
      store: gateway.store,
      async call(tool, args) {
        const { content } = (await client.callTool({ name: tool, arguments: args })) as {
          readonly content: readonly { readonly text: string }[]
        }
        return content[0]?.text ?? ''
      },
      received: async () =>
        readFileSync(file, 'utf8')
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as { tool: string; args: unknown }),
      pause: () => new Promise((resolve) => setTimeout(resolve, 2)),
      async close() {
        gateway.stop()
        await gateway.exit
      },
    }
  },
}

test('the gateway does what its adapter declares, between the SDK client and an SDK server', async () => {
  const report = await certify(ADAPTER, harness)
  expect(report.claims.filter(({ result }) => result !== 'proven')).toEqual([])
  expect(report).toMatchObject({ adapter: 'mcp-gateway', ok: true })
  expect(report.claims.length).toBeGreaterThanOrEqual(6)
})
