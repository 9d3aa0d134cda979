import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalJson } from '@callgate/core'
import type { JsonObject, JsonValue } from '@callgate/core'
import type { SchemaTypistOptions } from '@callgate/schema-typist'
import { expect, test } from 'vitest'
import { fixturePath, startGateway, temporaryFolder } from '../stdio/gateway.fixture.ts'
import type { RunningGateway } from '../stdio/gateway.fixture.ts'

type Verdict = 'unchanged_valid' | 'unchanged_invalid' | 'forward_exact_or_refuse' | { readonly repair: JsonObject }
type Mode = 'strict' | 'strict_with_boolean_opt_in' | 'flexible'
type Case = {
  readonly id: string
  readonly kind: string
  readonly input: { readonly inputSchema: unknown; readonly calls?: readonly JsonObject[]; readonly raw_arguments?: readonly string[] }
  readonly expected: { readonly [M in Mode]?: readonly Verdict[] }
}
/** One call: the text of its arguments, and what it spells where it is an object that can be spelled anew. */
type Sent = { readonly id: string; readonly tool: string; readonly text: string; readonly value?: JsonObject; readonly verdict: Verdict }

const CASES = new URL('../../../../shared/cases/cases.jsonl', import.meta.url)
const isHere = existsSync(CASES)
const cases = isHere ? readFileSync(CASES, 'utf8').trim().split('\n').map((line) => JSON.parse(line) as Case).filter(({ kind }) => kind === 'A') : []
const MODES: readonly (readonly [Mode, SchemaTypistOptions])[] = [
  ['strict', { mode: 'strict' }],
  ['strict_with_boolean_opt_in', { mode: 'strict', lowercaseBooleans: true }],
  ['flexible', { mode: 'flexible' }],
]
const matrix = MODES.flatMap(([mode, options]) => (['refuse', 'forward'] as const).map((invalid) => [mode, invalid, options] as const))

test.skipIf(!isHere)('every case of kind A is there, and each of its modes is played', () => {
  expect(cases.length).toBeGreaterThan(20)
  const modes = cases.flatMap(({ expected }) => Object.keys(expected)).filter((key) => /^(?:strict|basic|flexible)/.test(key))
  expect(new Set(modes)).toEqual(new Set(MODES.map(([mode]) => mode)))
})

test.skipIf(!isHere).each(matrix)('public bug reports on the wire, %s, invalid: %s: the server gets these bytes and no others', async (mode, invalid, options) => {
  const gateway = startCases({ ...options, invalid })
  const sent = callsOf(mode)
  expect(sent.length).toBeGreaterThan(2)
  for (const { id, tool, text } of sent) gateway.send(lineOf(id, tool, text))
  for (const call of sent) {
    const { result } = await gateway.answer(call.id)
    const forwarded = gateway.forwarded().filter((line) => line.includes(`"id": ${JSON.stringify(call.id)} `))
    const refusal = result?._meta?.['dev.callgate/decision']
    expect([call.id, forwarded, refusal === undefined]).toEqual(expectedOf(call, invalid, forwarded))
    if (refusal !== undefined) expect([result?.isError, refusal]).toMatchObject([true, { verdict: 'refused', cause: 'arguments' }])
  }
  const written = (await gateway.store.record.read(0, 1_000)).map(({ data }) => canonicalJson(data)).join('\n')
  for (const { text } of sent.filter(({ value, text: raw }) => value === undefined && raw.startsWith('{'))) expect(written).toContain(`"args":${text}`)
})

function startCases(typing: SchemaTypistOptions): RunningGateway {
  const folder = temporaryFolder()
  const tools = join(folder, 'tools.json')
  const record = join(folder, 'lines.txt')
  writeFileSync(tools, JSON.stringify(cases.map(({ id, input }) => ({ name: id, inputSchema: input.inputSchema }))))
  const command = [process.execPath, fixturePath('recording-server.mjs'), tools]
  const gateway = startGateway([], { command, typing, gates: { rules: [] }, env: { ...process.env, RECORD: record } })
  return { ...gateway, forwarded: () => readFileSync(record, 'utf8').split('\n') }
}

function callsOf(mode: Mode): readonly Sent[] {
  return cases.flatMap(({ id, input, expected }) => {
    const { calls = [], raw_arguments: raw = [] } = input
    const texts = [...calls.map((value) => ({ text: spell(value), value })), ...raw.map((text) => ({ text }))]
    return (expected[mode] ?? []).map((verdict, at): Sent => ({ id: `${id}-${at}`, tool: id, verdict, ...(texts[at] ?? { text: '' }) }))
  })
}

/** What is to be seen of a call: the lines that the server got, and whether the server answered it. */
function expectedOf({ id, tool, text, value, verdict }: Sent, invalid: 'refuse' | 'forward', forwarded: readonly string[]): readonly unknown[] {
  const asSent = [id, [lineOf(id, tool, text)], true]
  const refused = [id, [], false]
  if (verdict === 'unchanged_valid') return asSent
  if (verdict === 'forward_exact_or_refuse') return forwarded.length === 0 ? refused : asSent
  // What is no object goes nowhere, whatever the setting.
  if (verdict === 'unchanged_invalid') return invalid === 'forward' && text.startsWith('{') ? asSent : refused
  const repaired = value === undefined ? canonicalJson(verdict.repair) : spell(value, verdict.repair)
  return [id, [lineOf(id, tool, repaired)], true]
}

/** A line in a spelling that no printer of JSON gives. */
function lineOf(id: string, tool: string, args: string): string {
  return `{"jsonrpc":"2.0" , "id": ${JSON.stringify(id)} ,"params" :{"\\u0061rguments": ${args} ,"name":"${tool}","x":1e2},"method":"tools\\u002fcall"}`
}

/**
 * Writes arguments with spaces and escapes; with `repaired` what differs from it is written as it is there, in the plainest
 * way, and what is not there is left out.
 */
function spell(args: JsonObject, repaired: JsonObject = args): string {
  const members = Object.entries(args).flatMap(([key, value]) => {
    const now = repaired[key]
    return now === undefined ? [] : [`${odd(key)} : ${spellChange(value, now)}`]
  })
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

function spellChange(before: JsonValue, after: JsonValue): string {
  if (canonicalJson(before) === canonicalJson(after)) return oddValue(before)
  return canonicalJson(after) === canonicalJson([before]) ? `[${oddValue(before)}]` : canonicalJson(after)
}

function oddValue(value: JsonValue): string {
  if (typeof value === 'string') return odd(value)
  if (Array.isArray(value)) return `[ ${(value as readonly JsonValue[]).map(oddValue).join(' ,')}]`
  return typeof value === 'object' && value !== null ? spell(value as JsonObject) : JSON.stringify(value)
}

/** A string whose first character is written as an escape. */
function odd(text: string): string {
  return text === '' ? '""' : `"\\u${text.charCodeAt(0).toString(16).padStart(4, '0')}${JSON.stringify(text.slice(1)).slice(1)}`
}
