import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fixturePath, startGateway, temporaryFolder, until } from './gateway.fixture.ts'

const MESSAGES = 1_000
const MIB = 1_048_576

/** JSON text that no parser and printer would give back: escapes, big and odd numbers, white space, keys of any form. */
const space = fc.constantFrom('', '', '', ' ', '\t', '  ')
const numeral = fc.constantFrom(
  '9007199254740993',
  '-9007199254740993',
  '1.0',
  '1e2',
  '-0',
  '0.10',
  '1E+2',
  '123456789012345678901234567890',
  '5e-324',
)
const escape = fc.constantFrom('\\u00e9', '\\/', '\\n', '\\ud83d\\ude00', '\\"', '\\\\', '\\u0000', '\\ud800')
const plain = fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify(text).slice(1, -1))
const quoted = fc.array(fc.oneof(plain, escape), { maxLength: 4 }).map((parts) => `"${parts.join('')}"`)
const { value: json } = fc.letrec<{ value: string; array: string; object: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    numeral,
    quoted,
    fc.constantFrom('true', 'false', 'null'),
    fc.integer().map(String),
    tie('array'),
    tie('object'),
  ),
  array: fc
    .tuple(space, fc.array(tie('value'), { maxLength: 3 }))
    .map(([gap, items]) => `[${gap}${items.join(`${gap},`)}${gap}]`),
  object: fc
    .tuple(space, fc.array(fc.tuple(quoted, tie('value')), { maxLength: 3 }))
    .map(([gap, members]) => objectText(gap, members)),
}))

function objectText(gap: string, members: readonly (readonly [string, string])[]): string {
  const unique = new Map(members.map(([key, value]) => [JSON.parse(key) as string, `${gap}${key}${gap}:${gap}${value}${gap}`]))
  return `{${[...unique.values()].join(',')}}`
}

const deep = fc.integer({ min: 1, max: 3_000 }).map((depth) => '['.repeat(depth) + ']'.repeat(depth))
const huge = fc
  .constantFrom('x', 'é', '\u2028', '\\u0041')
  .map((unit) => `"${unit.repeat(Math.ceil(MIB / Buffer.byteLength(unit)))}"`)
const payload = fc.oneof({ weight: 300, arbitrary: json }, { weight: 20, arbitrary: deep }, { weight: 1, arbitrary: huge })
const id = fc.oneof(numeral, quoted, fc.integer().map(String)).filter((text) => !text.startsWith('"callgate'))
const method = fc
  .oneof(quoted, fc.constantFrom('"ping"', '"notifications/progress"', '"tools\\/list"', '"server/discover"'))
  .filter((text) => !/^(?:tools\/call|notifications\/cancelled)$/.test(JSON.parse(text) as string))
const unknown = fc.array(
  fc.tuple(
    quoted.filter((key) => !/^(?:jsonrpc|id|method|params|result|error)$/i.test((JSON.parse(key) as string).normalize('NFKC'))),
    payload,
  ),
  { maxLength: 2 },
)

const message = fc
  .tuple(
    fc.constantFrom('request', 'notification', 'result', 'error'),
    id,
    method,
    payload,
    unknown,
    space,
    fc.constantFrom('\n', '\r\n'),
  )
  .map(([kind, idText, methodText, value, more, gap, end]) => {
    const envelope = {
      request: [
        ['"id"', idText],
        ['"method"', methodText],
        ['"params"', value],
      ],
      notification: [
        ['"method"', methodText],
        ['"params"', value],
      ],
      result: [
        ['"id"', idText],
        ['"result"', value],
      ],
      error: [
        ['"id"', idText],
        ['"error"', value],
      ],
    }[kind]
    const members = [['"jsonrpc"', '"2.0"'], ...(envelope ?? []), ...more] as [string, string][]
    return `${gap}${objectText(gap, kind === 'error' ? members.reverse() : members)}${gap}${end}`
  })

/** Cuts bytes anywhere: in the middle of characters, escapes, line ends. */
function* pieces(bytes: Buffer, sizes: readonly number[]): Generator<Buffer> {
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1
    yield bytes.subarray(at, at + size)
    at += size
  }
}

test(`${MESSAGES} messages come through identical in both directions`, { timeout: 60_000 }, async () => {
  const texts = fc.sample(message, { numRuns: MESSAGES, seed: 20_261_130 })
  const sizes = fc.sample(
    fc.oneof(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 3_000 }), fc.integer({ min: 1, max: 200_000 })),
    { numRuns: 997, seed: 7 },
  )
  const bytes = Buffer.from(texts.join(''))
  const record = join(temporaryFolder(), 'got')
  const received: Buffer[] = []
  let size = 0
  const output = new PassThrough().on('data', (chunk: Buffer) => {
    received.push(chunk)
    size += chunk.length
  })
  const gateway = startGateway([], {
    command: [process.execPath, fixturePath('echo-server.mjs'), record],
    output,
    timings: { drainMs: 100 },
  })
  for (const piece of pieces(bytes, sizes)) {
    if (!gateway.input.write(piece)) await new Promise((resolve) => gateway.input.once('drain', resolve))
  }
  await until(
    () => (size >= bytes.length ? true : undefined),
    () => `${size} of ${bytes.length} bytes came back; ${gateway.logged.join('; ')}`,
  )
  expect(Buffer.concat(received).equals(bytes)).toBe(true)
  gateway.input.end()
  await gateway.exit
  expect(readFileSync(record).equals(bytes)).toBe(true)
  expect(gateway.logged).toEqual([])
  expect(bytes.length).toBeGreaterThan(MIB)
})
