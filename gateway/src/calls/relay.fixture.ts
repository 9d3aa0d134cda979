import { fixedClock, memoryStore } from '@callgate/core/testing'
import type { FixedClock } from '@callgate/core/testing'
import type { Store } from '@callgate/core'
import { createOrderedOutlet } from '../stdio/ordered-outlet.ts'
import { createRelay } from './create-relay.ts'
import type { Relay, RelayOptions } from './create-relay.ts'

/** A relay, and what it said to either side and to a person. */
export type Wired = {
  readonly relay: Relay
  readonly clock: FixedClock
  readonly store: Store
  readonly toServer: string[]
  readonly toClient: string[]
  readonly toClientBytes: Buffer[]
  readonly logged: string[]
  settle(): Promise<void>
}

/** A relay whose wires are arrays and whose time is told; `ask` needs a person, `write` needs `do`. */
export function wire(
  limits: Partial<{ inFlight: number; callBytes: number; argumentBytes: number }> = {},
  more: Partial<Pick<RelayOptions, 'gates' | 'typing' | 'requester' | 'redactor'>> = {},
): Wired {
  const clock = fixedClock(1_000)
  const store = memoryStore()
  const toServer: string[] = []
  const toClient: string[] = []
  const toClientBytes: Buffer[] = []
  const logged: string[] = []
  const out = (bytes: Buffer): void => {
    toClientBytes.push(bytes)
    toClient.push(bytes.toString())
  }
  let ids = 0
  const relay = createRelay({
    store,
    clock,
    random: { id: () => `id-${(ids += 1)}` },
    gates: {
      rules: [
        { gate: 'confirm', tools: ['ask'], message: 'Sure?' },
        { gate: 'done', tools: ['write'], message: 'Do first.' },
      ],
      marks: [{ gate: 'done', tools: ['do'] }],
    },
    typing: undefined,
    principal: 'p',
    session: 's',
    server: 'test',
    waits: { waitMs: 45_000, waitProgressMs: 240_000, pollMs: 200, progressMs: 10_000, listMs: 10_000 },
    limits: { inFlight: 10_000, callBytes: 1_000_000, argumentBytes: 1_000, ...limits },
    toServer: (bytes) => void toServer.push(bytes.toString()),
    toClient: out,
    outlet: createOrderedOutlet(out, () => undefined),
    log: (text) => void logged.push(text),
    ...more,
  })
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  return { relay, clock, store, toServer, toClient, toClientBytes, logged, settle }
}

/** A message as a line. */
export const line = (text: string): Buffer => Buffer.from(`${text}\n`)

/** A `tools/call`. */
export const callLine = (id: number | string, name: string, more = ''): Buffer =>
  line(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"tools/call","params":{"name":"${name}"${more}}}`)

/** The client's word that it wants no answer. */
export const cancelLine = (id: number | string): Buffer =>
  line(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${JSON.stringify(id)}}}`)

/** The result of a listing that is whole. */
export const LISTED = '"result":{"tools":[{"name":"do"},{"name":"ask"},{"name":"write"}]}'

/** Lets the client list the tools, so that nothing is asked for. */
export function list({ relay, toClient, toServer }: Wired): void {
  relay.fromClient(line('{"jsonrpc":"2.0","id":"l","method":"tools/list"}'))
  relay.fromServer(line(`{"jsonrpc":"2.0","id":"l",${LISTED}}`))
  toClient.length = 0
  toServer.length = 0
}

/** The outcomes that the record holds, in order. */
export async function outcomes({ store }: Wired): Promise<readonly unknown[]> {
  const entries = await store.record.read(0, 5_000)
  return entries.filter(({ kind }) => kind === 'outcome').map(({ data }) => (data as { readonly outcome: unknown }).outcome)
}
