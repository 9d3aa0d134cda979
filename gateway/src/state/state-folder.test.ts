import { chmodSync, chownSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openStateFolder, stateFolderPath } from './state-folder.ts'
import { placeIn, tempFolder } from './temp-folder.fixture.ts'

const mode = (path: string): number => statSync(path).mode & 0o777

test.each([
  ['the variable', { XDG_STATE_HOME: '/var/state' }, '/var/state/callgate'],
  ['the home folder where there is no variable', {}, '/home/somebody/.local/state/callgate'],
  ['the home folder where the variable is empty', { XDG_STATE_HOME: '' }, '/home/somebody/.local/state/callgate'],
  ['the home folder where the variable is relative', { XDG_STATE_HOME: 'state' }, '/home/somebody/.local/state/callgate'],
])('the state folder follows %s', (_what, env, path) => {
  expect(stateFolderPath({ env, home: '/home/somebody' })).toBe(path)
})

test.each(['', 'home', '.'])('a home folder that is no absolute path (%j) is none: nothing is kept in the working tree', (home) => {
  expect(() => stateFolderPath({ env: {}, home })).toThrow(expect.objectContaining({ code: 'store_unavailable' }))
  expect(stateFolderPath({ env: { XDG_STATE_HOME: '/var/state' }, home })).toBe('/var/state/callgate')
})

test.runIf(process.platform === 'linux')('a state folder that cannot be made is said at once', () => {
  expect(() => openStateFolder({ ...placeIn(tempFolder()), env: { XDG_STATE_HOME: '/proc/none' } })).toThrow(
    expect.objectContaining({ code: 'store_unavailable' }),
  )
})

test('a missing state folder is made, for its user alone', () => {
  const home = tempFolder()
  const folder = openStateFolder(placeIn(home))
  expect(folder).toBe(join(home, '.local', 'state', 'callgate'))
  expect(mode(folder)).toBe(0o700)
})

test.each([0o777, 0o770, 0o720, 0o702])('a state folder that others may write to (mode %o) is refused', (open) => {
  const home = tempFolder()
  const folder = openStateFolder(placeIn(home))
  chmodSync(folder, open)
  expect(() => openStateFolder(placeIn(home))).toThrow(
    expect.objectContaining({ code: 'state_exposed', message: expect.stringContaining(`chmod 700 ${folder}`) }),
  )
  expect(mode(folder)).toBe(open)
})

test('a state folder that others may only read is closed to them', () => {
  const home = tempFolder()
  const folder = openStateFolder(placeIn(home))
  chmodSync(folder, 0o755)
  openStateFolder(placeIn(home))
  expect(mode(folder)).toBe(0o700)
})

test('a state folder that belongs to somebody else is refused', () => {
  const home = tempFolder()
  const folder = openStateFolder(placeIn(home))
  const { uid = 0, ...place } = placeIn(home)
  if (uid === 0) chownSync(folder, 12_345, 12_345)
  const asker = uid === 0 ? 0 : uid + 1
  expect(() => openStateFolder({ ...place, uid: asker })).toThrow(
    expect.objectContaining({ code: 'state_exposed', message: expect.stringContaining('belongs to user') }),
  )
})

test('a file where the state folder should be is said to be in the way', () => {
  const home = tempFolder()
  mkdirSync(join(home, '.local', 'state'), { recursive: true })
  writeFileSync(join(home, '.local', 'state', 'callgate'), '')
  expect(() => openStateFolder(placeIn(home))).toThrow(expect.objectContaining({ code: 'store_unavailable' }))
})
