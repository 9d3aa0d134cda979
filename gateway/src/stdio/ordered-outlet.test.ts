import { expect, test } from 'vitest'
import { createOrderedOutlet } from './ordered-outlet.ts'
import type { OrderedOutlet } from './ordered-outlet.ts'

function outletOf(): { readonly outlet: OrderedOutlet; readonly out: string[]; readonly moves: number[] } {
  const out: string[] = []
  const moves: number[] = []
  const outlet = createOrderedOutlet(
    (bytes) => void out.push(bytes.toString()),
    () => void moves.push(out.length),
  )
  return { outlet, out, moves }
}

test('without a place reserved bytes go out at once', () => {
  const { outlet, out, moves } = outletOf()
  outlet.write(Buffer.from('a'))
  expect([out, moves]).toEqual([['a'], []])
})

test('what comes after a place waits until it is filled, and places keep their order', () => {
  const { outlet, out, moves } = outletOf()
  const first = outlet.reserve()
  outlet.write(Buffer.from('b'))
  const second = outlet.reserve()
  outlet.write(Buffer.from('dd'))
  second.fill(Buffer.from('c'))
  expect([out, outlet.waitingBytes, moves]).toEqual([[], 4, []])
  first.fill(Buffer.from('a'))
  expect([out, outlet.waitingBytes, moves]).toEqual([['a', 'b', 'c', 'dd'], 0, [4]])
})

test('a place is filled once', () => {
  const { outlet, out } = outletOf()
  const place = outlet.reserve()
  place.fill(Buffer.from('a'))
  place.fill(Buffer.from('b'))
  expect([out, outlet.waitingBytes]).toEqual([['a'], 0])
})

test('a place skipped lets go what waits behind it, and sends nothing', () => {
  const { outlet, out, moves } = outletOf()
  const first = outlet.reserve()
  const second = outlet.reserve()
  outlet.write(Buffer.from('b'))
  second.skip()
  expect([out, outlet.waitingBytes]).toEqual([[], 1])
  first.skip()
  first.fill(Buffer.from('a'))
  second.fill(Buffer.from('c'))
  expect([out, outlet.waitingBytes, moves]).toEqual([['b'], 0, [1]])
})
