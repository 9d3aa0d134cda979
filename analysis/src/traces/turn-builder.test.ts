import { expect, test } from 'vitest'
import type { TraceEvent, TraceItem } from './trace.ts'
import { createTurnBuilder } from './turn-builder.ts'

const call = (id: string, turn: string): TraceItem => ({ kind: 'call', id, turn, call: { tool: id, args: { value: {} } } })
const result = (id: string): TraceItem => ({ kind: 'result', id, result: { text: id, isError: false } })
const user = (text: string): TraceItem => ({ kind: 'user', text })

/** Each turn as its calls with the text of their results, what the user said in quotes. */
function built(...items: readonly TraceItem[]): readonly string[] {
  const builder = createTurnBuilder('t')
  return [...items.flatMap((item) => builder.push(item)), ...builder.end()].map(shown)
}

function shown(event: TraceEvent): string {
  if (event.kind === 'user') return `"${event.text}"`
  return event.kind === 'end' ? 'end' : event.calls.map(({ tool, result: found }) => `${tool}=${found?.text ?? '?'}`).join(' ')
}

test('a result that comes after the user spoke still belongs to its call', () => {
  expect(built(call('a', '1'), user('hurry'), result('a'), call('b', '2'))).toEqual(['a=a', '"hurry"', 'b=?', 'end'])
  expect(built(call('a', '1'), call('b', '1'), result('b'), user('one'), user('two'), result('a'), user('three'))).toEqual(['a=a b=b', '"one"', '"two"', '"three"', 'end'])
})

test('what the user said comes at once where nothing is in flight', () => {
  const builder = createTurnBuilder('t')
  expect([user('x'), call('a', '1'), result('a'), user('y')].map((item) => builder.push(item).map(shown))).toEqual([['"x"'], [], [], ['a=a', '"y"']])
})

test('a call without a result ends with the next turn, and a call after the user spoke is another turn, whatever it is called', () => {
  expect(built(call('a', '1'), user('x'), call('b', '1'), result('b'), result('a'))).toEqual(['a=?', '"x"', 'b=b', 'end'])
  expect(built(call('a', '1'), user('x'))).toEqual(['a=?', '"x"', 'end'])
})

test('of what the user says while a call is in flight at most 1,000 texts wait', () => {
  const builder = createTurnBuilder('t')
  builder.push(call('a', '1'))
  const counts = Array.from({ length: 1_000 }, (_, at) => builder.push(user(String(at))).length)
  expect([counts.at(-2), counts.at(-1)]).toEqual([0, 1_001])
})
