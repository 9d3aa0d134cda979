import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { createRoutes, ROUTE_NAMES } from './routes.ts'

const folder = mkdtempSync(join(tmpdir(), 'callgate-bench-routes-'))
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

test('every route ends at the same server', () => {
  const [direct, ...others] = createRoutes(ROUTE_NAMES, folder)
  expect(others).toHaveLength(ROUTE_NAMES.length - 1)
  for (const { command } of others) expect(command.slice(-3)).toEqual(direct?.command)
})

test('a route sees no store of the user: state lies in the folder, and no CALLGATE_ variable is handed on', () => {
  vi.stubEnv('CALLGATE_STORE', '/home/someone/store.sqlite')
  for (const { env } of createRoutes(ROUTE_NAMES, folder)) {
    expect(env['CALLGATE_STORE']).toBeUndefined()
    expect(env['XDG_STATE_HOME']).toBe(join(folder, 'state'))
  }
})

test('each gates file that a route names is written, and the bench program of callgate exists', () => {
  for (const { command } of createRoutes(['callgate-memory', 'callgate-durable', 'callgate-typing'], folder)) {
    expect(existsSync(command[command.indexOf('--gates') + 1] ?? '')).toBe(true)
    expect(existsSync(command[1] ?? '')).toBe(true)
  }
})
