import { fixedClock, memoryStore } from '@callgate/core/testing'
import type { FixedClock } from '@callgate/core/testing'
import type { Store } from '@callgate/core'
import { expect, test } from 'vitest'
import { createRelay } from './create-relay.ts'
import type { Relay } from './create-relay.ts'

type Wired = {
  readonly relay: Relay
  readonly clock: FixedClock
  readonly store: Store
  readonly toServer: string[]
  readonly toClient: string[]
  settle(): Promise<void>
}

/** A relay whose wires are arrays and whose time is told. */
function wire(limits: Partial<{ inFlight: number; callBytes: number; argumentBytes: number }> = {}): Wired {
  const clock = fixedClock(1_000)
  const store = memoryStore()
  const toServer: string[] = []
  const toClient: string[] = []
  const out = (bytes: Buffer): void => void toClient.push(bytes.toString())
  let ids = 0
  const relay = createRelay({
    store,
    clock,
    random: { id: () => `id-${(ids += 1)}` },
    gates: { rules: [{ gate: 'confirm', tools: ['ask'], message: 'Sure?' }] },
    typing: undefined,
    principal: 'p',
    session: 's',
    server: 'test',
    waits: { waitMs: 45_000, waitProgressMs: 240_000, pollMs: 200, progressMs: 10_000, listMs: 10_000 },
    limits: { inFlight: 10_000, callBytes: 1_000_000, argumentBytes: 1_000, ...limits },
    toServer: (bytes) => void toServer.push(bytes.toString()),
    toClient: out,
    outlet: { write: out, reserve: () => ({ fill: out }) },
    log: () => undefined,
  })
  return { relay, clock, store, toServer, toClient, settle: () => new Promise((resolve) => setImmediate(resolve)) }
}

const line = (text: string): Buffer => Buffer.from(`${text}\n`)
const callLine = (id: number, name: string, more = ''): Buffer =>
  line(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}"${more}}}`)
const LISTED = '"result":{"tools":[{"name":"do"},{"name":"ask"}]}'

/** Lets the client list the tools, so that nothing is asked for. */
function list({ relay, toClient, toServer }: Wired): void {
  relay.fromClient(line('{"jsonrpc":"2.0","id":"l","method":"tools/list"}'))
  relay.fromServer(line(`{"jsonrpc":"2.0","id":"l",${LISTED}}`))
  toClient.length = 0
  toServer.length = 0
}

async function pass(wired: Wired, ms: number, stepMs = 200): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    wired.clock.advance(stepMs)
    await wired.settle()
  }
}

test('a held call waits 45 s without a progress token', async () => {
  const wired = wire()
  list(wired)
  wired.relay.fromClient(callLine(1, 'ask'))
  await wired.settle()
  await pass(wired, 44_800)
  expect(wired.toClient).toEqual([])
  await pass(wired, 400)
  expect(wired.toClient.join()).toContain('Waiting for approval')
})

test('and 240 s with one, telling so at once and every 10 s', async () => {
  const wired = wire()
  list(wired)
  wired.relay.fromClient(callLine(1, 'ask', ',"_meta":{"progressToken":7}'))
  await wired.settle()
  await pass(wired, 239_800)
  expect(wired.toClient).toHaveLength(24)
  expect(wired.toClient[23]).toContain('"progressToken":7,"progress":24e-9,')
  await pass(wired, 400)
  expect(wired.toClient.at(-1)).toContain('"isError":true')
})

test('a hold whose deadline passes while its call waits is told as expired', async () => {
  const wired = wire()
  list(wired)
  wired.relay.fromClient(callLine(1, 'ask', ',"_meta":{"progressToken":7}'))
  await wired.settle()
  const [hold] = await wired.store.holds.list({ limit: 1 })
  if (hold !== undefined) await wired.store.holds.apply(hold.id, { kind: 'expire', at: hold.expiresAt })
  await pass(wired, 400)
  expect(wired.toClient.at(-1)).toContain('"cause":"expired"')
})

test('a server that is silent on tools/list is waited for 10 s, all pages together', async () => {
  const wired = wire()
  wired.relay.fromClient(callLine(1, 'do'))
  await pass(wired, 9_000)
  const id = /"id":("[^"]+")/.exec(wired.toServer[0] ?? '')?.[1]
  wired.relay.fromServer(line(`{"jsonrpc":"2.0","id":${id},"result":{"tools":[],"nextCursor":"2"}}`))
  await wired.settle()
  expect([wired.toServer.length, wired.toClient]).toEqual([2, []])
  await pass(wired, 1_200)
  expect(wired.toClient[0]).toContain('did not answer tools/list')
  wired.relay.fromServer(line(`{"jsonrpc":"2.0","id":${id},${LISTED}}`))
  expect(wired.toClient).toHaveLength(1)
})

test('plain requests may share an id: both pass, both answers pass, and each is answered when the server goes', () => {
  const wired = wire()
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
  for (let count = 0; count < 3; count += 1) wired.relay.fromClient(line(ping))
  wired.relay.fromServer(line('{"jsonrpc":"2.0","id":1,"result":{}}'))
  expect([wired.toServer.length, wired.toClient.length]).toEqual([3, 1])
  wired.relay.serverGone('Gone.')
  expect(wired.toClient.slice(1).map((text) => /"message":"(.*?)"/.exec(text)?.[1])).toEqual(
    Array.from({ length: 2 }, () => 'Gone. Whether the request was carried out is unknown.'),
  )
})

test('a listing under an id that was in flight twice is not learnt from', async () => {
  const wired = wire()
  wired.relay.fromClient(line('{"jsonrpc":"2.0","id":1,"method":"prompts/list"}'))
  wired.relay.fromClient(line('{"jsonrpc":"2.0","id":1,"method":"tools/list"}'))
  wired.relay.fromServer(line(`{"jsonrpc":"2.0","id":1,${LISTED}}`))
  wired.relay.fromClient(callLine(2, 'do'))
  await wired.settle()
  expect(wired.toServer.at(-1)).toContain('"id":"callgate:id-')
})

test('calls over the bound on bytes are refused', () => {
  const wired = wire({ callBytes: 150 })
  wired.relay.fromClient(callLine(1, 'do'))
  wired.relay.fromClient(callLine(2, 'do', `,"x":"${'y'.repeat(100)}"`))
  expect(wired.toClient.join()).toMatch(/"id":2,"error".*Too many requests/)
})

test('of the calls that were cancelled and never answered the oldest beyond a thousand is given up', async () => {
  const wired = wire()
  list(wired)
  const cancel = (id: number): Buffer => line(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`)
  for (let id = 0; id <= 1_000; id += 1) wired.relay.fromClient(callLine(id, 'do'))
  await wired.settle()
  for (let id = 0; id < 1_000; id += 1) wired.relay.fromClient(cancel(id))
  await wired.settle()
  const outcomes = async (): Promise<number> =>
    (await wired.store.record.read(0, 5_000)).filter(({ kind }) => kind === 'outcome').length
  expect(await outcomes()).toBe(0)
  wired.relay.fromClient(cancel(1_000))
  await wired.settle()
  expect([await outcomes(), wired.toClient]).toEqual([1, []])
  wired.relay.fromClient(callLine(0, 'do'))
  await wired.settle()
  expect(wired.toServer.at(-1)).toContain('"id":0,')
})

test('a cancel while the gatekeeper decides keeps the call from running, and it gets no answer', async () => {
  const wired = wire()
  list(wired)
  wired.relay.fromClient(callLine(1, 'do'))
  wired.relay.fromClient(line('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}'))
  await wired.settle()
  expect([wired.toServer, wired.toClient]).toEqual([[], []])
})

test('nothing is forwarded once the connection to the server ends', async () => {
  const wired = wire()
  list(wired)
  wired.relay.fromClient(callLine(1, 'do'))
  wired.relay.serverClosing('It ends.')
  await wired.settle()
  wired.relay.fromClient(callLine(2, 'do'))
  expect(wired.toServer).toEqual([])
  expect(wired.toClient.map((text) => /"message":"(.*?)"/.exec(text)?.[1])).toEqual([
    'It ends. Nothing was executed.',
    'It ends. Nothing was executed.',
  ])
})
