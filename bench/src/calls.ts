import type { LineClient } from './line-client.ts'

const ABREAST = 16

type EchoResult = { readonly isError?: boolean; readonly content?: readonly { readonly text?: string }[] }

/** Shakes hands as MCP clients do, and calls `echo` once: when it resolves, the first answer is there. */
export async function greet(client: LineClient): Promise<void> {
  await client.request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'callgate-bench', version: '0.1.0' },
  })
  client.notify('notifications/initialized')
  await callEcho(client, 0)
}

/** Calls `echo` so many times, each after the answer to the one before; resolves with each call's milliseconds. */
export async function callInSequence(client: LineClient, calls: number): Promise<Float64Array> {
  const times = new Float64Array(calls)
  for (let i = 0; i < calls; i += 1) {
    const start = performance.now()
    await callEcho(client, i)
    times[i] = performance.now() - start
  }
  return times
}

/** Calls `echo` so many times with sixteen calls under way at once; resolves with the milliseconds of the whole. */
export async function callAbreast(client: LineClient, calls: number): Promise<number> {
  let next = 0
  const start = performance.now()
  const lane = async (): Promise<void> => {
    while (next < calls) {
      next += 1
      await callEcho(client, next)
    }
  }
  await Promise.all(Array.from({ length: ABREAST }, lane))
  return performance.now() - start
}

/** One call; rejects unless the tool itself answered, so that a refusal never counts as a fast call. */
async function callEcho(client: LineClient, n: number): Promise<void> {
  const result = (await client.request('tools/call', { name: 'echo', arguments: { message: `m${n}` } })) as EchoResult
  if (result.isError === true || result.content?.[0]?.text !== `Echo: m${n}`) {
    throw new Error(`echo answered something else: ${JSON.stringify(result).slice(0, 500)}`)
  }
}
