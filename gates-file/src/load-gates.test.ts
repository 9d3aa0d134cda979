import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isCallgateError } from '@callgate/core'
import { afterAll, expect, test } from 'vitest'
import { loadGates } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'gates-file-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const VALID = 'gates:\n  rules:\n    - { gate: seen, tools: [t], message: Look first. }\n'

function write(name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

async function refusalOf(path: string): Promise<readonly [code: string, message: string]> {
  const error: unknown = await loadGates(path).then(() => undefined, (caught: unknown) => caught)
  if (!isCallgateError(error)) throw new Error('it was not refused')
  return [error.code, error.message]
}

test('a valid file is read, with its warnings', async () => {
  const path = write('gates.yml', VALID)
  const { gates, warnings } = await loadGates(path)
  expect(gates.rules.rules).toEqual([{ gate: 'seen', tools: ['t'], message: 'Look first.', line: 3 }])
  expect(warnings).toMatchObject([{ file: path, line: 3, column: 15, code: 'gate_never_marked', severity: 'warning' }])
})

test('a missing file, and one below a file, are missing', async () => {
  const path = join(folder, 'none.yml')
  expect(await refusalOf(path)).toEqual(['gates_file_missing', `There is no gates file at ${path}. Write one, or name another.`])
  expect((await refusalOf(join(write('plain', ''), 'x.yml')))[0]).toBe('gates_file_missing')
})

test('an invalid file is refused with each problem on a line of its own', async () => {
  const path = write('bad.yml', 'gates:\n  rules:\n    - gate: a\n      tools: []\n      when: x\n      message: m\n')
  expect(await refusalOf(path)).toEqual(['gates_file_invalid', [
    `The gates file ${path} is not valid. Nothing runs until it is:`,
    `  ${path}:4:14: \`tools\` is an empty list; name at least one, or remove the entry`,
    `  ${path}:5:13: the expression of \`when\` is wrong: Unknown variable: x; it is CEL over args`,
  ].join('\n')])
})

test('an empty file is refused', async () => {
  expect((await refusalOf(write('empty.yml', '')))[1]).toContain('empty.yml:1:1: the file is empty')
})

test('a folder and a pipe are refused without being read', async () => {
  mkdirSync(join(folder, 'sub'))
  execFileSync('mkfifo', [join(folder, 'pipe')])
  expect(await refusalOf(join(folder, 'sub'))).toEqual(['gates_file_invalid', expect.stringContaining('it is a folder')])
  expect(await refusalOf(join(folder, 'pipe'))).toEqual(['gates_file_invalid', expect.stringContaining('no regular file')])
})

test('a file that is not UTF-8 is refused', async () => {
  for (const bytes of [Buffer.from('gates: \xe9', 'latin1'), Buffer.from(`\ufeff${VALID}`, 'utf16le')]) {
    const [code, message] = await refusalOf(write('latin.yml', bytes))
    expect(code).toBe('gates_file_invalid')
    expect(message).toContain('save it as UTF-8')
  }
})

test('a byte order mark changes nothing', async () => {
  const plain = await loadGates(write('plain.yml', VALID))
  expect((await loadGates(write('bom.yml', `\ufeff${VALID}`))).gates).toEqual(plain.gates)
})

test('a file of four mebibytes is read, and one byte more is refused', async () => {
  const full = VALID.padEnd(4_194_304, ' ')
  expect((await loadGates(write('full.yml', full))).gates.rules.rules).toHaveLength(1)
  expect((await refusalOf(write('over.yml', `${full} `)))[1]).toContain('larger than 4194304 bytes')
  expect((await refusalOf(write('wide.yml', `${VALID}#${'é'.repeat(2_097_152)}`)))[1]).toContain('larger than 4194304 bytes')
})

test('a file that cannot be opened is refused, with the cause', async () => {
  const path = write('secret.yml', VALID)
  chmodSync(path, 0o000)
  const nul = await refusalOf(join(folder, 'a\u0000b'))
  expect(nul[0]).toBe('gates_file_invalid')
  // A superuser may read every file.
  if (process.getuid?.() !== 0) expect((await refusalOf(path))[1]).toContain('EACCES')
})
