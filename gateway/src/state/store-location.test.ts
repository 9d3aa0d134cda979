import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { locateStore } from './store-location.ts'
import { placeIn, tempFolder } from './temp-folder.fixture.ts'

test('each gates file has a store of its own in the state folder, the same under every name of the file', () => {
  const folder = tempFolder()
  writeFileSync(join(folder, 'a.yml'), '')
  writeFileSync(join(folder, 'b.yml'), '')
  symlinkSync('a.yml', join(folder, 'link.yml'))
  mkdirSync(join(folder, 'sub'))
  const locate = (gates: string): unknown => locateStore({ gates }, placeIn(folder))
  const own = locate('a.yml')
  expect(own).toMatchObject({ kind: 'sqlite', isDefault: true })
  expect((own as { path: string }).path.startsWith(join(folder, '.local', 'state', 'callgate') + '/')).toBe(true)
  expect(locate('link.yml')).toEqual(own)
  expect(locate('sub/../a.yml')).toEqual(own)
  expect(locate(join(folder, 'a.yml'))).toEqual(own)
  expect(locate('b.yml')).not.toEqual(own)
})

test('the flag goes before the variable, and the variable before the default', () => {
  const place = placeIn('/nowhere', { CALLGATE_STORE: 'from-env.db' })
  expect(locateStore({ store: 'x/flag.db', gates: 'none.yml' }, place)).toEqual({
    kind: 'sqlite',
    path: '/nowhere/x/flag.db',
    isDefault: false,
  })
  expect(locateStore({ gates: 'none.yml' }, place)).toEqual({ kind: 'sqlite', path: '/nowhere/from-env.db', isDefault: false })
  expect(locateStore({ store: 'memory:', gates: 'none.yml' }, place)).toEqual({ kind: 'memory' })
})

test.each([
  ['postgres://localhost/db', 'unsupported', 'not built yet'],
  ['postgresql://localhost/db', 'unsupported', 'not built yet'],
  ['sqlite:state.db', 'unsupported', './sqlite:state.db'],
  ['memory:x', 'unsupported', 'neither'],
])('a store named %s is refused', (store, code, words) => {
  expect(() => locateStore({ store, gates: 'none.yml' }, placeIn('/nowhere'))).toThrow(
    expect.objectContaining({ code, message: expect.stringContaining(words) }),
  )
})

test('the default store of a gates file that is not there is no store', () => {
  const folder = tempFolder()
  expect(() => locateStore({ gates: 'gates.yml' }, placeIn(folder))).toThrow(
    expect.objectContaining({ code: 'gates_file_missing', message: expect.stringContaining(join(folder, 'gates.yml')) }),
  )
})
