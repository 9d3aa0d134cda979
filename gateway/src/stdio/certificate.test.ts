import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { certify } from '@callgate/core/testing'
import type { CertifyHarness } from '@callgate/core/testing'
import { expect, test } from 'vitest'
import { ADAPTER } from '../calls/create-relay.ts'
import { certified, streamTransport } from '../sdk-client.fixture.ts'
import { fixturePath, startGateway, temporaryFolder } from './gateway.fixture.ts'

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
    const close = async (): Promise<void> => {
      gateway.stop()
      await gateway.exit
    }
    return certified(client, { file, store: gateway.store, close })
  },
}

test('the gateway does what its adapter declares, between the SDK client and an SDK server', async () => {
  const report = await certify(ADAPTER, harness)
  expect(report.claims.filter(({ result }) => result !== 'proven')).toEqual([])
  expect(report).toMatchObject({ adapter: 'mcp-gateway', ok: true })
  expect(report.claims.length).toBeGreaterThanOrEqual(6)
})
