import { expect, test } from 'vitest'
import { createReplayTally, verdictOf } from './replay-tally.ts'
import type { ReplayedCall } from './replay.ts'

const call = (verdict: ReplayedCall['verdict'], rule?: string, line?: number): { readonly kind: 'call'; readonly call: ReplayedCall } => ({
  kind: 'call',
  call: { trace: 'a', call: 0, tool: 'pay', args: '{}', verdict, ...(rule !== undefined && { rule }), ...(line !== undefined && { line }) },
})

test('verdicts are counted, and what a rule stopped, rule by rule in the order of the file', () => {
  const tally = createReplayTally()
  const events = [call('ran'), call('repaired'), call('held', 'confirm', 9), call('refused', 'listed', 3), call('refused', 'listed', 3), call('refused', 'deny'), call('refused', 'listed', 5), call('refused', 'allow')]
  for (const event of events) tally.add(event)
  tally.add({ kind: 'end', trace: 'a' })
  expect(tally.summary()).toEqual({
    traces: 1,
    calls: 8,
    ran: 1,
    repaired: 1,
    refused: 5,
    held: 1,
    byRule: [
      { rule: 'allow', refused: 1, held: 0 },
      { rule: 'deny', refused: 1, held: 0 },
      { rule: 'listed', line: 3, refused: 2, held: 0 },
      { rule: 'listed', line: 5, refused: 1, held: 0 },
      { rule: 'confirm', line: 9, refused: 0, held: 1 },
    ],
  })
})

test('names such as __proto__ are names', () => {
  const tally = createReplayTally()
  tally.add(call('refused', '__proto__', 1))
  expect(tally.summary().byRule).toEqual([{ rule: '__proto__', line: 1, refused: 1, held: 0 }])
})

test('an empty replay has nothing in it', () => {
  expect(createReplayTally().summary()).toEqual({ traces: 0, calls: 0, ran: 0, refused: 0, held: 0, repaired: 0, byRule: [] })
})

test('the verdict alone is what is listed', () => {
  expect(verdictOf(call('held', 'confirm', 2).call)).toEqual({ trace: 'a', call: 0, tool: 'pay', verdict: 'held', rule: 'confirm' })
  expect(verdictOf(call('ran').call)).toEqual({ trace: 'a', call: 0, tool: 'pay', verdict: 'ran' })
})
