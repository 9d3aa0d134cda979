import { Candidate, canonicalJson, createGatekeeper, createRedactor } from '@callgate/core'
import type { GateRules, Gatekeeper, GatekeeperOptions, JsonObject, Policy, Store } from '@callgate/core'
import { local } from '@callgate/core/local'
import { expect, test } from 'vitest'
import { approve } from './gatekeeper.fixture.ts'

const SECRET = '4111222233334444'
const redactor = createRedactor({ paths: ['args.card'], key: 'a key of many characters' })
const path = (source: string, name: string): { readonly source: string; evaluate(context: { readonly args: JsonObject }): never } => ({ source, evaluate: ({ args }) => args[name] as never })

type Stage = { readonly gatekeeper: Gatekeeper; readonly ports: ReturnType<typeof local>; readonly warned: string[] }

function stage(gates: GateRules, more: Partial<GatekeeperOptions> = {}): Stage {
  const ports = local()
  const warned: string[] = []
  return { ports, warned, gatekeeper: createGatekeeper({ gates, redactor, schemaless: 'allow', warn: (line) => void warned.push(line), ...ports, ...more }) }
}

async function written({ record, holds }: Store): Promise<string> {
  return canonicalJson([...(await record.read(0, 100)), ...(await holds.list({ limit: 10 }))] as unknown as JsonObject[])
}

const CALL = { tool: 'pay', args: { card: SECRET, note: `charge ${SECRET}`, amount: 5 } }

test('the tool gets the value, and no entry of a call that ran holds it', async () => {
  const { gatekeeper, ports } = stage({ rules: [] })
  const seen: unknown[] = []
  const outcome = await gatekeeper.session('s', { principal: 'p' }).call(CALL, (args) => void seen.push(args))
  expect([outcome.verdict, seen]).toEqual(['ran', [CALL.args]])
  const text = await written(ports.store)
  expect(text).not.toContain(SECRET)
  expect(text).toContain('"redacted":"args.card"')
  expect(text).toContain('"amount":5')
})

test('what policies say is told and written without the value', async () => {
  const echo: Policy = { id: 'echo', version: '1', owns: [], evaluate: ({ candidate }) => ({ kind: 'deny', reasons: [{ code: 'no', message: `not ${canonicalJson(candidate.fields)}`, pointer: '/arguments/card' }] }) }
  const { gatekeeper, ports } = stage({ rules: [] }, { policies: [echo] })
  const outcome = await gatekeeper.session('s', { principal: 'p' }).call(CALL, () => undefined)
  expect(outcome.verdict).toBe('refused')
  expect(canonicalJson(outcome as unknown as JsonObject)).not.toContain(SECRET)
  expect(await written(ports.store)).not.toContain(SECRET)
})

test('a rule may look at the value, and its refusal does not tell it; nor do the marks that carry it', async () => {
  const key = path('args.card', 'card')
  const { gatekeeper, ports } = stage({
    rules: [{ gate: 'known', tools: ['pay'], message: 'Look the card up first.', key }],
    marks: [{ gate: 'known', tools: ['look'], keys: key }],
  })
  const session = gatekeeper.session('s', { principal: 'p' })
  const refused = await session.call(CALL, () => undefined)
  expect(refused).toMatchObject({ verdict: 'refused', cause: 'gate' })
  expect(canonicalJson(refused as unknown as JsonObject)).not.toContain(SECRET)
  expect((await session.call({ ...CALL, tool: 'look' }, () => undefined)).verdict).toBe('ran')
  expect((await session.call(CALL, () => undefined)).verdict).toBe('ran')
  const text = await written(ports.store)
  expect(text).toContain('"kind":"mark"')
  expect(text).not.toContain(SECRET)
})

test('a person sees path, length and digest; the yes is bound to the value all the same', async () => {
  const asking: Policy = { id: 'asking', version: '1', owns: [], evaluate: ({ candidate }) => ({ kind: 'hold', question: `Charge ${(candidate.fields['arguments'] as { readonly card: string }).card}?` }) }
  const { gatekeeper, ports } = stage({ rules: [] }, { policies: [asking] })
  const session = gatekeeper.session('s', { principal: 'p' })
  const held = await session.call(CALL, () => undefined)
  const hold = await gatekeeper.hold(held.holdId ?? '')
  expect(JSON.parse(hold?.args ?? '')).toMatchObject({ card: { redacted: 'args.card', length: 16 }, note: 'charge (not shown)', amount: 5 })
  expect([held.verdict, hold?.question]).toEqual(['held', 'Charge (not shown)?'])
  await approve(ports, held.holdId ?? '')
  const other = { ...CALL, args: { card: '4111222233334445', amount: 5 } }
  expect((await session.call(other, () => undefined)).verdict).toBe('held')
  const seen: unknown[] = []
  expect((await session.call(CALL, (args) => void seen.push(args))).verdict).toBe('ran')
  expect(seen).toEqual([CALL.args])
  expect(await written(ports.store)).not.toContain(SECRET)
})

test('another process cannot run a held call without its values, and its yes stands for the call that brings them', async () => {
  const gates: GateRules = { rules: [{ gate: 'confirm', tools: ['pay'], message: 'Pay?' }] }
  const { gatekeeper, ports } = stage(gates)
  const held = await gatekeeper.session('s', { principal: 'p' }).call(CALL, () => undefined)
  await approve(ports, held.holdId ?? '')
  const later = createGatekeeper({ gates, redactor, ...ports }).session('s', { principal: 'p' })
  await expect(later.resume(held.holdId ?? '', () => 'ran')).rejects.toMatchObject({ code: 'invalid_call', message: expect.stringContaining('redacted') as string })
  expect(await later.call(CALL, () => 'ran')).toMatchObject({ verdict: 'ran', result: 'ran' })
})

test('a digest of which the value could be guessed is keyed', async () => {
  const gates: GateRules = { rules: [{ gate: 'confirm', tools: ['pay'], message: 'Pay?' }] }
  const digests = async (more: Partial<GatekeeperOptions>): Promise<unknown> => {
    const { gatekeeper, ports } = stage(gates, more)
    await gatekeeper.session('s', { principal: 'p' }).call(CALL, () => undefined)
    return (await ports.store.record.read(0, 10)).find(({ kind }) => kind === 'decision')?.data['digest']
  }
  const keyed = await digests({})
  expect(keyed).toMatch(/^[0-9a-f]{64}$/)
  expect(keyed).not.toBe(await digests({ redactor: createRedactor({ paths: ['args.other'], key: 'a key of many characters' }) }))
})

test.each(['an error', 'what cannot be printed'])('a store that fails tells no value: %s', async (kind) => {
  const said = new Error(`lost ${SECRET}`)
  if (kind !== 'an error') said.toString = () => { throw new Error(SECRET) }
  const ports = local()
  const store: Store = { ...ports.store, record: { ...ports.store.record, append: async () => Promise.reject(said) } }
  const { gatekeeper, warned } = stage({ rules: [] }, { store })
  const outcome = await gatekeeper.session('s', { principal: 'p' }).call(CALL, () => undefined)
  expect(outcome).toMatchObject({ verdict: 'refused' })
  expect(warned).toHaveLength(1)
  expect(JSON.stringify([outcome, warned])).not.toContain(SECRET)
})

/** What a store is given of a call that waits and of one that runs: the digests of the yes and of repeats. */
async function digestsOf(key: string, args: JsonObject): Promise<readonly string[]> {
  const { store, ...ports } = local()
  const repeats: string[] = []
  const claim: Store['marks']['claim'] = async (scope, taken, entries) => {
    repeats.push(taken.repeat?.digest ?? '')
    return store.marks.claim(scope, taken, entries)
  }
  const gates: GateRules = { rules: [{ gate: 'confirm', tools: ['pay'], message: 'Pay?' }], limits: [{ repeats: 2 }] }
  const watched = { ...store, marks: { ...store.marks, claim } }
  const { gatekeeper } = stage(gates, { ...ports, store: watched, redactor: createRedactor({ paths: ['args.card'], key }) })
  const session = gatekeeper.session('s', { principal: 'p' })
  const held = await session.call({ tool: 'pay', args }, () => undefined)
  expect((await session.call({ tool: 'look', args }, () => undefined)).verdict).toBe('ran')
  return [(await gatekeeper.hold(held.holdId ?? ''))?.binding ?? '', ...repeats]
}

test('what a yes is bound to, and what counts repeats, is keyed where a value could be guessed from it, and nowhere else', async () => {
  const [one, other] = ['one key of many characters', 'another key of many characters']
  const keyed = await digestsOf(one, { card: '123' })
  expect(keyed).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), expect.stringMatching(/^[0-9a-f]{64}$/)])
  expect(await digestsOf(one, { card: '123' })).toEqual(keyed)
  const others = await digestsOf(other, { card: '123' })
  expect(keyed.map((digest, at) => digest === others[at])).toEqual([false, false])
  expect(await digestsOf(one, { note: '123' })).toEqual(await digestsOf(other, { note: '123' }))
})

test('a reason does not point with the names that are redacted, to the host or in the record', async () => {
  const pointing: Policy = { id: 'pointing', version: '1', owns: [], evaluate: () => ({ kind: 'deny', reasons: [{ code: 'no', message: `at /arguments/map/${SECRET}`, pointer: `/arguments/map/${SECRET}/a~1b` }] }) }
  const { gatekeeper, ports } = stage({ rules: [] }, { policies: [pointing] })
  const outcome = await gatekeeper.session('s', { principal: 'p' }).call({ tool: 'pay', args: { card: { [SECRET]: 'one' }, map: { [SECRET]: { 'a/b': 1 } } } }, () => undefined)
  expect(outcome).toMatchObject({ verdict: 'refused', reasons: [{ pointer: '/arguments/map/(not shown)/a~1b' }] })
  expect(canonicalJson(outcome as unknown as JsonObject)).not.toContain(SECRET)
  expect(await written(ports.store)).not.toContain(SECRET)
})

test.each([
  ['a number above the path', 'args.card.number', '{"card":4111222233334444e4000}', '/arguments/card is'],
  ['a number at the path', 'args.card', '{"card":4111222233334444e4000}', '/arguments/card is'],
  ['a name below the path', 'args.card', `{"card":{"${SECRET}":{"x":"\\ud800"}}}`, '/arguments/card is'],
  ['a name below the path, in a list', 'args.cards.number', `{"cards":[{"number":{"${SECRET}":"\\ud800"}}]}`, '/arguments/cards/0/number is'],
])('what is not exact is not shown: %s', async (_, path, args, said) => {
  const { gatekeeper, ports } = stage({ rules: [] }, { redactor: createRedactor({ paths: [path], key: 'a key of many characters' }) })
  let fault: unknown
  try {
    Candidate.ofWire(args)
  } catch (error) {
    fault = error
  }
  const outcome = await gatekeeper.session('s', { principal: 'p' }).call({ tool: 'pay', args: fault as JsonObject }, () => undefined)
  expect(outcome).toMatchObject({ verdict: 'refused', message: expect.stringContaining(said) as string })
  expect(canonicalJson(outcome as unknown as JsonObject)).not.toContain(SECRET)
  expect(await written(ports.store)).not.toContain(SECRET)
})
