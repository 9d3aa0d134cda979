import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { certify } from '@callgate/core/testing'
import type { CertifyHarness } from '@callgate/core/testing'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect, test } from 'vitest'
import { ADAPTER } from '../../calls/create-relay.ts'
import { certified } from '../../sdk-client.fixture.ts'
import { fixturePath, temporaryFolder } from '../../stdio/gateway.fixture.ts'
import { startFront } from './front.fixture.ts'
import type { RunningFront } from './front.fixture.ts'

type Front = Parameters<typeof startFront>[0]
const OPEN: NonNullable<Front>['gates'] = { rules: [{ gate: 'never', tools: ['no such tool'], message: 'No.' }], external: ['never'] }

/** A harness whose gateway listens, in front of what `before` makes of a server on stdio. */
function harnessOf(before: (server: NonNullable<Front>) => Promise<NonNullable<Front>>): CertifyHarness {
  return {
    async open({ gates, tools }) {
      const file = join(temporaryFolder(), 'received.jsonl')
      writeFileSync(file, '')
      const server = await before({
        target: { kind: 'command', command: [process.execPath, fixturePath('canary-server.mjs')] },
        env: { ...process.env, TOOLS: JSON.stringify(tools), RECEIVED: file },
      })
      const front: RunningFront = await startFront({
        ...server,
        gates,
        typing: { mode: 'strict', lowercaseBooleans: true, invalid: 'refuse' },
        holdWaitMs: 5_000,
        timings: { holdPollMs: 5 },
      })
      const client = new Client({ name: 'model', version: '1' })
      await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${front.port}/mcp`)))
      const close = async (): Promise<void> => {
        await client.close()
        front.stop()
        await front.exit
      }
      return certified(client, { file, store: front.store, close })
    },
  }
}

test.each<readonly [string, CertifyHarness]>([
  ['on stdio', harnessOf(async (server) => server)],
  [
    'over HTTP',
    harnessOf(async (server) => {
      const { port } = await startFront({ ...server, gates: OPEN })
      return { target: { kind: 'url', url: `http://127.0.0.1:${port}/mcp`, headers: {} } }
    }),
  ],
])('the gateway does what its adapter declares, between the SDK client over HTTP and a server %s', { timeout: 60_000 }, async (_, harness) => {
  const report = await certify(ADAPTER, harness)
  expect(report.claims.filter(({ result }) => result !== 'proven')).toEqual([])
  expect(report).toMatchObject({ adapter: 'mcp-gateway', ok: true })
  expect(report.claims.length).toBeGreaterThanOrEqual(6)
})
