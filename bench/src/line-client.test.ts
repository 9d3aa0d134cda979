import { afterEach, expect, test } from 'vitest'
import { callAbreast, callInSequence, greet } from './calls.ts'
import { openLineClient } from './line-client.ts'
import type { LineClient } from './line-client.ts'

const open: LineClient[] = []

/** A server whose every answer is what `answer`, an expression over the request `m`, yields. */
function openServer(answer: string): LineClient {
  const script = `
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const m = JSON.parse(line)
      if (m.id !== undefined) console.log(JSON.stringify({ id: m.id, ...(${answer}) }))
    })`
  return openProgram([process.execPath, '-e', script])
}

function openProgram(command: readonly string[]): LineClient {
  const client = openLineClient({ name: 'direct', command, env: process.env })
  open.push(client)
  return client
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()))
})

const ECHO = "{ result: { content: [{ text: 'Echo: ' + m.params.arguments?.message }] } }"

test('calls in sequence are timed one by one, calls abreast as a whole', async () => {
  const client = openServer(ECHO)
  await greet(client)
  const times = await callInSequence(client, 20)
  expect(times).toHaveLength(20)
  expect(times.every((ms) => ms > 0)).toBe(true)
  expect(await callAbreast(client, 50)).toBeGreaterThan(0)
})

test('sixteen calls are under way at once, and none is made beyond the number asked for', async () => {
  const client = openServer(`(globalThis.seen = (globalThis.seen ?? 0) + 1, m.method === 'seen' ? { result: seen } : ${ECHO})`)
  await callAbreast(client, 50)
  expect(await client.request('seen', {})).toBe(51)
})

test.each([
  ['a refusal', "{ result: { isError: true, content: [{ text: 'Echo: m0' }] } }", /something else.*isError/],
  ["another call's answer", "{ result: { content: [{ text: 'Echo: m7' }] } }", /something else.*m7/],
  ['a JSON-RPC error', "{ error: { code: -32603, message: 'no' } }", /answered with an error.*-32603/],
])('%s never counts as a fast call', async (_, answer, message) => {
  await expect(callInSequence(openServer(answer), 1)).rejects.toThrow(message)
})

test('a process that ends rejects what was asked, with what it wrote to stderr', async () => {
  const client = openProgram([process.execPath, '-e', "process.stdin.once('data', () => { console.error('out of luck'); process.exit(3) })"])
  await expect(client.request('ping', {})).rejects.toThrow(/it ended; it said: out of luck/)
  await expect(client.request('ping', {})).rejects.toThrow(/it has ended/)
})

test('a line that is not JSON is an error of the route, and a program that is not there another', async () => {
  await expect(openProgram([process.execPath, '-e', "process.stdin.once('data', () => console.log('hello'))"]).request('ping', {})).rejects.toThrow(/not JSON: hello/)
  await expect(openProgram(['/nowhere/at-all']).request('ping', {})).rejects.toThrow(/it could not be started/)
})
