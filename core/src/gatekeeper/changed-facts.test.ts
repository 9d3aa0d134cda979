import { expect, test } from 'vitest'
import type { GateRule, MarkRule } from '../gates/gate-rule.ts'
import { local } from '../local/local.ts'
import { call, ex, recorded, stage, vote } from './stage.fixture.ts'

const id = ex('args.id', ({ args }) => args['id'])
const edit: GateRule = { gate: 'read', tools: ['edit'], message: 'Read it first.', key: id, require: ex('fact.open', ({ fact }) => fact['open']), line: 3 }
const confirm: GateRule = { gate: 'confirm', tools: ['edit'], message: 'Edit?' }
const look: MarkRule = { gate: 'read', tools: ['look'], keys: id, keep: ex('result', ({ result }) => result) }
const pay: GateRule = { gate: 'ok', tools: ['pay'], message: 'Ask first.', line: 7 }

test('a call held while its fact allowed it does not run once the fact no longer does', async () => {
  const { session, ports } = stage({ rules: [edit, confirm], marks: [look] })
  await call(session, 'look', { id: 'a' }, { open: true })
  const { holdId = '' } = await call(session, 'edit', { id: 'a' })
  await call(session, 'look', { id: 'a' }, { open: false })
  expect(await vote(ports, holdId, 'bob')).toBe('approved')
  let runs = 0
  const refused = await session.resume(holdId, () => (runs += 1))
  expect(refused).toMatchObject({ verdict: 'refused', cause: 'gate', rule: 'read', line: 3, unmet: [{ why: 'require', key: '"a"' }] })
  expect(refused.message).toContain('Another call changed what this rule reads while this one was judged or waited.')
  expect(runs).toBe(0)
})

test('a held call whose mark was made anew with another fact that satisfies the rule too spends its yes, once', async () => {
  const { session, ports } = stage({ rules: [edit, confirm], marks: [look] })
  await call(session, 'look', { id: 'a' }, { open: true, n: 1 })
  const { holdId = '' } = await call(session, 'edit', { id: 'a' })
  await call(session, 'look', { id: 'a' }, { open: true, n: 2 })
  await call(session, 'look', { id: 'a' }, { open: true, n: 3 })
  expect(await vote(ports, holdId, 'bob')).toBe('approved')
  let runs = 0
  expect((await session.resume(holdId, () => (runs += 1))).verdict).toBe('ran')
  expect(await session.resume(holdId, () => (runs += 1))).toMatchObject({ verdict: 'refused', cause: 'used' })
  expect(runs).toBe(1)
})

test('a fact made worse and good again while a call waits satisfies it', async () => {
  const { session, ports } = stage({ rules: [edit, confirm], marks: [look] })
  await call(session, 'look', { id: 'a' }, { open: true })
  const { holdId = '' } = await call(session, 'edit', { id: 'a' })
  for (const open of [false, true]) await call(session, 'look', { id: 'a' }, { open })
  expect(await vote(ports, holdId, 'bob')).toBe('approved')
  expect((await session.resume(holdId, () => 1)).verdict).toBe('ran')
})

test('a fact that changes between the judgement and the claim is judged anew: it refuses, or the call runs', async () => {
  for (const open of [false, true]) {
    const { store } = local()
    let between = (): Promise<unknown> => Promise.resolve()
    const marks = { ...store.marks, claim: async (...args: Parameters<typeof store.marks.claim>) => { await between(); return store.marks.claim(...args) } }
    const { session } = stage({ rules: [edit], marks: [look] }, { store: { ...store, marks } })
    await call(session, 'look', { id: 'a' }, { open: true })
    between = async () => {
      between = () => Promise.resolve()
      await call(session, 'look', { id: 'a' }, { open, n: 2 })
    }
    const outcome = await call(session, 'edit', { id: 'a' })
    if (open) expect(outcome.verdict).toBe('ran')
    else expect(outcome).toMatchObject({ verdict: 'refused', cause: 'gate', rule: 'read', unmet: [{ why: 'require' }] })
  }
})

test('a call from which others take the mark each time is refused by the gate, after eight claims, and may be made again', async () => {
  const { store } = local()
  const scope = { principal: 'ann', session: 's' }
  let claims = 0
  const marks = {
    ...store.marks,
    claim: async (...[at, claim, entries]: Parameters<typeof store.marks.claim>) => {
      if (claim.needs.length === 0 || claims >= 8) return store.marks.claim(at, claim, entries)
      claims += 1
      // Another process takes the use, and then marks the gate again.
      await store.marks.claim(at, claim, [])
      const short = await store.marks.claim(at, claim, entries)
      await store.marks.add(scope, [{ gate: 'ok', at: 1_000, key: '"a"', uses: 1 }], 'now')
      return short
    },
  }
  const found = stage({ rules: [pay], marks: [{ gate: 'ok', tools: ['ask'], keys: id, uses: 1 }] }, { store: { ...store, marks } })
  await call(found.session, 'ask', { id: 'a' })
  const refused = await call(found.session, 'pay')
  expect(refused).toMatchObject({ verdict: 'refused', cause: 'gate', rule: 'ok', line: 7, unmet: [{ gate: 'ok', why: 'taken', key: '"a"' }] })
  expect(refused.message).toBe('Ask first.\n\nNothing was executed. The gate "ok" was marked for "a" each time that this call was judged, and other calls took the mark before it could. Send the same call again.')
  expect([claims, found.warnings]).toEqual([8, []])
  expect((await recorded({ ...found, ports: { ...found.ports, store } }, 'decision')).at(-1)).toMatchObject({ verdict: 'refuse', cause: 'gate', unmet: ['ok'], rule: 'ok' })
  expect((await call(found.session, 'pay')).verdict).toBe('ran')
})

test('the same holds where a person has said yes: the mark is looked for eight times, and the yes stays for the same call', async () => {
  const { store } = local()
  let taken = 0
  const holds = {
    ...store.holds,
    apply: async (...[hold, event, entries, take]: Parameters<typeof store.holds.apply>) => {
      if (event.kind !== 'claim' || take === undefined || taken >= 8) return store.holds.apply(hold, event, entries, take)
      taken += 1
      await store.marks.claim(take.scope, take.claim, [])
      const short = await store.holds.apply(hold, event, entries, take)
      await store.marks.add(take.scope, [{ gate: 'ok', at: 1_000, uses: 1 }], 'now')
      return short
    },
  }
  const { session, ports, warnings } = stage({ rules: [pay, { ...confirm, tools: ['pay'] }], marks: [{ gate: 'ok', tools: ['ask'], uses: 1 }] }, { store: { ...store, holds } })
  await call(session, 'ask')
  const { holdId = '' } = await call(session, 'pay')
  expect(await vote({ ...ports, store }, holdId, 'bob')).toBe('approved')
  let runs = 0
  expect(await session.resume(holdId, () => (runs += 1))).toMatchObject({ verdict: 'refused', cause: 'gate', rule: 'ok', unmet: [{ why: 'taken' }] })
  expect([taken, runs, warnings]).toEqual([8, 0, []])
  expect((await session.resume(holdId, () => (runs += 1))).verdict).toBe('ran')
  expect(runs).toBe(1)
})

test('a call whose yes others spend eight times is told so, and not that the installation is at fault', async () => {
  const { store } = local()
  const holds = {
    ...store.holds,
    apply: async (...[hold, event, entries, take]: Parameters<typeof store.holds.apply>) => {
      if (event.kind === 'claim') await store.holds.apply(hold, { ...event, owner: 'another' }, [])
      return store.holds.apply(hold, event, entries, take)
    },
  }
  const { session, warnings } = stage({ rules: [confirm] }, { store: { ...store, holds }, approver: { ask: async () => ({ verdict: 'approve', approver: 'bob' }) } })
  const refused = await call(session, 'edit')
  expect(refused).toMatchObject({ verdict: 'refused', cause: 'used' })
  expect(refused.message).toContain('Identical calls spent the approval 8 times before this one could. This call was not executed.')
  expect(warnings).toEqual([])
})

test('a call that came in before its mark was made is told that the mark counts for later calls, and the same call then runs', async () => {
  const { session, ports } = stage({ rules: [pay, { ...confirm, tools: ['pay'] }], marks: [{ gate: 'ok', tools: ['ask'], uses: 1 }] })
  await call(session, 'ask')
  const { holdId = '' } = await call(session, 'pay')
  await call(session, 'ask')
  expect(await vote(ports, holdId, 'bob')).toBe('approved')
  const refused = await session.resume(holdId, () => 1)
  expect(refused).toMatchObject({ verdict: 'refused', cause: 'gate', rule: 'ok', unmet: [{ why: 'unmarked' }] })
  expect(refused.message).toContain('The gate "ok" is not marked for this call: it was marked after the call came in, and that counts for later calls. Send the same call again.')
  expect((await call(session, 'pay')).verdict).toBe('ran')
})
