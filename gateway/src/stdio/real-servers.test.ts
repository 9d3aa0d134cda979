import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { EVERYTHING_GATES, EVERYTHING_WALKED, walkEverything } from '../sdk-client.fixture.ts'
import { temporaryFolder } from './gateway.fixture.ts'
import { call, connect, textOf, TYPED } from './real-client.fixture.ts'

const { resolve } = createRequire(import.meta.url)
const EVERYTHING = [process.execPath, resolve('@modelcontextprotocol/server-everything/dist/index.js'), 'stdio']
const FILESYSTEM = [process.execPath, resolve('@modelcontextprotocol/server-filesystem/dist/index.js')]

test('server-everything: a listing, a refusal that is a result, a repair that the server gets, progress, and what is only handed on', async () => {
  const { client } = await connect(EVERYTHING, EVERYTHING_GATES)
  expect(await walkEverything(client)).toEqual(EVERYTHING_WALKED)
})

test('server-filesystem: a write needs a read, a move needs a person and runs once', async () => {
  const folder = join(temporaryFolder(), 'files')
  mkdirSync(folder)
  writeFileSync(join(folder, 'a.txt'), 'one\ntwo\nthree')
  const gates = {
    rules: [
      { gate: 'read', tools: ['write_file'], message: 'Read the file first.' },
      { gate: 'confirm', tools: ['move_file'], message: 'Move this file?' },
    ],
    marks: [{ gate: 'read', tools: ['read_text_file'] }],
  }
  const { client, gateway } = await connect([...FILESYSTEM, folder], gates, { ...TYPED, holdWaitMs: 300, timings: { holdPollMs: 20 } })
  const path = join(folder, 'a.txt')
  const move = { source: path, destination: join(folder, 'b.txt') }
  expect(textOf(await call(client, 'write_file', { path, content: 'x' }))).toContain('Read the file first.')
  expect(textOf(await call(client, 'read_text_file', { path, tail: '1' }))).toBe('three')
  expect((await call(client, 'write_file', { path, content: 'x' })).isError).toBeUndefined()
  expect(textOf(await call(client, 'move_file', move))).toContain('Waiting for approval')
  await gateway.approve((await gateway.hold()).id)
  expect((await call(client, 'move_file', move)).isError).toBeUndefined()
  expect(readFileSync(join(folder, 'b.txt'), 'utf8')).toBe('x')
  expect(textOf(await call(client, 'move_file', move))).toContain('Waiting for approval')
  expect(textOf(await call(client, 'mvoe_file', move))).toContain('"move_file"')
})
