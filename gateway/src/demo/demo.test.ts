import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { runBin } from '../cli/run-bin.fixture.ts'
import { tempFolder } from '../state/temp-folder.fixture.ts'

test('the demo refuses, runs, repairs and holds real calls, and its record verifies', async () => {
  const folder = tempFolder()
  const { code, stdout, stderr } = await runBin(['demo', '--json'], folder, { TMPDIR: folder, CALLGATE_STORE: 'memory:' })
  expect([code, stderr]).toEqual([0, ''])
  const answer = JSON.parse(stdout) as {
    calls: { tool: string; verdict: string; rule?: string; args: unknown }[]
    record: object
  }
  expect(answer.calls.map(({ tool, verdict, rule }) => [tool, verdict, rule])).toEqual([
    ['write_file', 'refused', 'file_read'],
    ['read_text_file', 'ran', undefined],
    ['read_text_file', 'repaired', undefined],
    ['write_file', 'ran', undefined],
    ['move_file', 'held', 'confirm'],
    ['move_file', 'ran', expect.toSatisfy((rule) => rule === undefined || rule === 'confirm')],
    ['move_file', 'held', 'confirm'],
  ])
  expect(answer.calls[2]?.args).toEqual({ path: 'notes.txt', tail: 3 })
  expect(answer.record).toEqual({ ok: true, entries: expect.any(Number) })
  expect(readdirSync(folder)).toEqual([])
})

test('for a person the demo prints its rules, one aligned line a call, and no colour into a pipe', async () => {
  const folder = tempFolder()
  const { code, stdout, stderr } = await runBin(['demo'], folder, { TMPDIR: folder })
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).not.toContain('\u001b')
  expect(stdout).toContain('tools: [write_file, edit_file]')
  const lines = stdout.split('\n').filter((line) => /^(?:ran|refused|held|repaired|yes) /.test(line))
  expect(lines.map((line) => line.slice(0, 24).trimEnd().split(/ +/))).toEqual([
    ['refused', 'write_file'],
    ['ran', 'read_text_file'],
    ['repaired', 'read_text_file'],
    ['ran', 'write_file'],
    ['held', 'move_file'],
    ['yes', 'holds', 'approve'],
    ['ran', 'move_file'],
    ['held', 'move_file'],
  ])
  expect(stdout).toMatch(/\nrecord {4}\d+ entries, the chain is unbroken\n$/)
  expect(readdirSync(folder)).toEqual([])
})
