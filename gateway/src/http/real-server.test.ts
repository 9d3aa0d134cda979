import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { expect, onTestFinished, test } from 'vitest'
import { EVERYTHING_GATES, EVERYTHING_WALKED, streamTransport, walkEverything } from '../sdk-client.fixture.ts'
import { startEverything, startRemoteGateway } from './remote/remote.fixture.ts'

test('server-everything over HTTP: tools, a refusal, a repair, progress, prompts, resources', { timeout: 30_000 }, async () => {
  const gateway = startRemoteGateway(await startEverything(), { gates: EVERYTHING_GATES, typing: { mode: 'strict' } })
  const client = new Client({ name: 'test', version: '1' })
  const leave = (): Promise<number> => {
    gateway.input.end()
    return gateway.exit
  }
  await client.connect(streamTransport(gateway.input, gateway.output, leave))
  onTestFinished(() => client.close())
  expect(await walkEverything(client)).toEqual(EVERYTHING_WALKED)
  await client.close()
  expect(await gateway.exit).toBe(0)
})
