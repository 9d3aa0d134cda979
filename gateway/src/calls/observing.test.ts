import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createGatekeeper } from '@callgate/core'
import type { Completion, JsonValue, Store } from '@callgate/core'
import { local } from '@callgate/core/local'
import { ArgumentsSchema, SchemaTypistPolicy } from '@callgate/schema-typist'
import type { SchemaTypistOptions } from '@callgate/schema-typist'
import { expect, test } from 'vitest'
import { fixturePath, startGateway, temporaryFolder } from '../stdio/gateway.fixture.ts'
import type { RunningGateway } from '../stdio/gateway.fixture.ts'

const inputSchema = { type: 'object', properties: { limit: { type: 'integer' }, ratio: { type: 'number' }, name: { type: 'string' } } }
const FORWARDING: SchemaTypistOptions = { mode: 'strict', invalid: 'forward' }
const SENT = '{"name":7, "limit":"5","ratio":"0.5"}'
const OBSERVED = ['/arguments/limit', '/arguments/ratio'].map((pointer) => ({ policy: 'schema-typist', code: 'safe_cast_available', pointer }))

type Recorded = { readonly [key: string]: JsonValue | undefined }

/** All outcomes that the record holds; those of a gateway are written after the answer was delivered. */
async function outcomesOf(store: Store): Promise<readonly Recorded[]> {
  const entries = await store.record.read(0, 100)
  return entries.filter(({ kind }) => kind === 'outcome').map(({ data }) => data)
}

function startServer(typing?: SchemaTypistOptions): RunningGateway {
  const tools = join(temporaryFolder(), 'tools.json')
  writeFileSync(tools, JSON.stringify(['fail', 'error', 'fine'].map((name) => ({ name, inputSchema }))))
  return startGateway([], { command: [process.execPath, fixturePath('recording-server.mjs'), tools], gates: { rules: [] }, ...(typing !== undefined && { typing }) })
}

test.each([
  ['a result that is an error', 'fail', (answer: { readonly result?: { readonly isError?: boolean } }) => expect(answer.result?.isError).toBe(true)],
  ['an error of the protocol', 'error', (answer: { readonly error?: { readonly code: number } }) => expect(answer.error?.code).toBe(-32_602)],
])('a failure whose arguments had safe casts is recorded with each place, and never retried: %s', async (_, tool, isFailure) => {
  const gateway = startServer(FORWARDING)
  gateway.call(1, tool, SENT)
  isFailure(await gateway.answer(1))
  await expect.poll(() => outcomesOf(gateway.store)).toEqual([{ outcome: 'failed', tool, observations: OBSERVED, retry: 'never' }])
  expect(gateway.forwarded().filter((line) => line.includes('"tools/call"'))).toEqual([expect.stringContaining(`"arguments":${SENT}`)])
})

test.each<readonly [string, string, string, SchemaTypistOptions | undefined]>([
  ['the arguments were right', 'fail', '{"limit":5}', FORWARDING],
  ['the casts were made', 'fail', '{"limit":"5"}', FORWARDING],
  ['nothing could be cast', 'fail', '{"limit":"five"}', FORWARDING],
  ['typing is not asked for', 'fail', SENT, undefined],
])('nothing is observed where %s', async (_, tool, sent, typing) => {
  const gateway = startServer(typing)
  gateway.call(1, tool, sent)
  await gateway.answer(1)
  await expect.poll(() => outcomesOf(gateway.store)).toEqual([{ outcome: 'failed', tool }])
})

test('a success is no failure, whatever its arguments', async () => {
  const gateway = startServer(FORWARDING)
  gateway.call(1, 'fine', SENT)
  await gateway.answer(1)
  await expect.poll(() => outcomesOf(gateway.store)).toEqual([{ outcome: 'ran', tool: 'fine' }])
})

test.each<readonly [string, () => Completion]>([
  ['run throws', () => { throw new Error('no') }],
  ['the result says so', () => 'failure'],
])('a host in process has the same observation where %s', async (_, run) => {
  const { store, ...ports } = local()
  let runs = 0
  const gatekeeper = createGatekeeper({ gates: [], policies: [new SchemaTypistPolicy(FORWARDING)], store, ...ports, completion: (result) => result as Completion })
  const schema = ArgumentsSchema.create({ schemaId: 't', version: '1', inputSchema })
  const call = gatekeeper.session('s', { principal: 'p' }).call({ tool: 't', args: JSON.parse(SENT) as unknown, schema }, () => {
    runs += 1
    return run()
  })
  await call.catch(() => undefined)
  expect([runs, await outcomesOf(store)]).toEqual([1, [{ outcome: 'failed', tool: 't', observations: OBSERVED, retry: 'never' }]])
})
