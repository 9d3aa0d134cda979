import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempFolder } from '../../state/temp-folder.fixture.ts'
import { readTokenFile } from './known-clients.ts'

const [A, B, C] = ['a'.repeat(32), 'b:'.repeat(16), 'c'.repeat(16)] as const

function file(text: string, mode = 0o600): string {
  const path = join(tempFolder(), 'tokens')
  writeFileSync(path, text)
  chmodSync(path, mode)
  return path
}

test('a token names its client, and nothing else does', () => {
  const { identify } = readTokenFile(file(`# clients\nann: ${A}\r\n\n${B}\nbob:\t${C}\n`), () => undefined)
  const who = ['Bearer ', 'bearer  '].flatMap((scheme) => [A, B, C].map((token) => identify(scheme + token)))
  expect(who).toEqual(['ann', 'client', 'bob', 'ann', 'client', 'bob'])
  const strangers = [undefined, '', 'Bearer ', `Bearer ${A}x`, `Bearer ${A.slice(1)}`, `Basic ${A}`, A, `Bearer ${A} ${B}`, 'Bearer é']
  expect(strangers.map(identify)).toEqual(strangers.map(() => undefined))
})

test.each([
  ['a short token', `ann: ${A}\nbob: short\n`, ':2 is no token'],
  ['two words', `${A} ${B}\n`, ':1 is no token'],
  ['the name of nobody', `anonymous: ${A}\n`, ':1 is no token'],
  ['an empty file', '# nobody\n', 'has no token'],
])('%s: refused, and no token is shown', (_, text, said) => {
  const readIt = (): unknown => readTokenFile(file(text), () => undefined)
  expect(readIt).toThrow(said)
  expect(readIt).not.toThrow(A)
})

test('a file that is not there is refused; one that others can read is warned of', () => {
  expect(() => readTokenFile(join(tempFolder(), 'none'), () => undefined)).toThrow('cannot be read (ENOENT)')
  const warned: string[] = []
  readTokenFile(file(A, 0o644), (message) => void warned.push(message))
  expect(warned).toEqual([expect.stringContaining('can be read by others; run: chmod 600')])
})
