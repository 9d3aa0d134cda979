import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { local } from '@callgate/core/local'
import { expect, test } from 'vitest'
import { openRedactionKey } from './redaction-key.ts'
import { tempFolder } from './temp-folder.fixture.ts'

const { random } = local()

test('the key is made once, lies beside the store, and is nobody else’s to read', () => {
  const folder = tempFolder()
  const location = { kind: 'sqlite', path: join(folder, 'state.db'), isDefault: false } as const
  const key = openRedactionKey(location, random)
  expect(key).toMatch(/^[0-9a-f]{64}$/)
  expect(readFileSync(join(folder, 'state.db.key'), 'utf8').trim()).toBe(key)
  expect(statSync(join(folder, 'state.db.key')).mode & 0o777).toBe(0o600)
  chmodSync(join(folder, 'state.db.key'), 0o644)
  expect(openRedactionKey(location, random)).toBe(key)
  expect(statSync(join(folder, 'state.db.key')).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['state.db.key'])
})

test('of two that find none, both take the one that was made first', () => {
  const location = { kind: 'sqlite', path: join(tempFolder(), 'state.db'), isDefault: false } as const
  let second = ''
  let isFirst = true
  const racing = { id: () => {
    if (isFirst) {
      isFirst = false
      second = openRedactionKey(location, random)
    }
    return random.id()
  } }
  expect(openRedactionKey(location, racing)).toBe(second)
})

test('a store in memory has a key of its own each time', () => {
  expect(openRedactionKey({ kind: 'memory' }, random)).not.toBe(openRedactionKey({ kind: 'memory' }, random))
})

test('what is no key, and a folder that cannot be written, start nothing', () => {
  const folder = tempFolder()
  writeFileSync(join(folder, 'bad.db.key'), 'x')
  expect(() => openRedactionKey({ kind: 'sqlite', path: join(folder, 'bad.db'), isDefault: false }, random)).toThrow(expect.objectContaining({ code: 'store_invalid' }))
  expect(() => openRedactionKey({ kind: 'sqlite', path: join(folder, 'none', 'a.db'), isDefault: false }, random)).toThrow(expect.objectContaining({ code: 'store_unavailable' }))
  expect(existsSync(join(folder, 'none'))).toBe(false)
})
