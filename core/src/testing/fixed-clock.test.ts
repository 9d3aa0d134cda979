import { expect, test } from 'vitest'
import { fixedClock } from './fixed-clock.ts'

test('time stands still until it is advanced', async () => {
  const clock = fixedClock(1_000)
  expect(clock.now()).toBe(1_000)
  clock.advance(250)
  expect(clock.now()).toBe(1_250)
  expect(fixedClock().now()).toBe(0)
})

test('sleepers wake when time passes them, in the order of their deadlines', async () => {
  const clock = fixedClock(0)
  const woken: string[] = []
  const all = [clock.sleep(20).then(() => woken.push('20')), clock.sleep(10).then(() => woken.push('10')), clock.sleep(31).then(() => woken.push('31'))]
  clock.advance(9)
  await Promise.resolve()
  expect(woken).toEqual([])
  expect(clock.sleepers).toBe(3)
  clock.advance(21)
  await Promise.all(all.slice(0, 2))
  expect(woken).toEqual(['10', '20'])
  expect(clock.sleepers).toBe(1)
  clock.advance(1)
  await Promise.all(all)
  expect(woken).toEqual(['10', '20', '31'])
})

test('no time to sleep is no sleep', async () => {
  const clock = fixedClock()
  await clock.sleep(0)
  await clock.sleep(-1)
  expect(clock.sleepers).toBe(0)
})

test('an abort wakes a sleeper at once, and an aborted signal lets nobody fall asleep', async () => {
  const clock = fixedClock()
  const stop = new AbortController()
  const sleep = clock.sleep(10, stop.signal)
  stop.abort()
  await sleep
  expect(clock.sleepers).toBe(0)
  await clock.sleep(10, stop.signal)
})
