import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from './gateway.fixture.ts'
import { call, connect, textOf, TYPED } from './real-client.fixture.ts'

const { resolve } = createRequire(import.meta.url)
const EVERYTHING = [process.execPath, resolve('@modelcontextprotocol/server-everything/dist/index.js'), 'stdio']
const FILESYSTEM = [process.execPath, resolve('@modelcontextprotocol/server-filesystem/dist/index.js')]

test('server-everything: tools are listed whole, a call runs, a refusal is a result, a repair is what the server gets', async () => {
  const { client } = await connect(EVERYTHING, {
    rules: [{ gate: 'echoed', tools: ['get-tiny-image'], message: 'Echo first.' }],
    marks: [{ gate: 'echoed', tools: ['echo'] }],
  })
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('get-sum')
  const refused = await call(client, 'get-tiny-image', {})
  expect([refused.isError, textOf(refused).split('\n')[0]]).toEqual([true, 'Echo first.'])
  expect(textOf(await call(client, 'echo', { message: 'hello' }))).toBe('Echo: hello')
  expect((await call(client, 'get-tiny-image', {})).isError).toBeUndefined()
  expect(textOf(await call(client, 'get-sum', { a: '2', b: 3 }))).toContain('5')
})

test('server-everything: progress, prompts, resources and completion pass', async () => {
  const { client } = await connect(EVERYTHING, { rules: [{ gate: 'x', tools: ['none'], message: 'No.' }], external: ['x'] })
  const progress: number[] = []
  await client.callTool({ name: 'trigger-long-running-operation', arguments: { duration: 1, steps: 3 } }, undefined, {
    onprogress: (step) => void progress.push(step.progress),
  })
  expect(progress).toEqual([1, 2, 3])
  expect((await client.listPrompts()).prompts.length).toBeGreaterThan(0)
  expect((await client.listResources()).resources.length).toBeGreaterThan(0)
  await client.ping()
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
