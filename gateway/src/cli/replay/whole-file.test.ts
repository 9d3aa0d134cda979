import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempFolder } from '../../state/temp-folder.fixture.ts'
import { createWholeFile } from './whole-file.ts'

test('to try a place changes nothing there, and to write takes the place of what was', async () => {
  const folder = tempFolder()
  const path = join(folder, 'report.html')
  writeFileSync(path, 'the old one')
  const file = await createWholeFile(path)
  expect([readdirSync(folder), readFileSync(path, 'utf8')]).toEqual([['report.html'], 'the old one'])
  await file.write('the new one')
  expect([readdirSync(folder), readFileSync(path, 'utf8')]).toEqual([['report.html'], 'the new one'])
})

test.each<[string, (folder: string) => string]>([
  ['in no folder', (folder) => join(folder, 'none', 'report.html')],
  ['that is a folder', (folder) => folder],
])('a place %s is refused at once', async (_what, place) => {
  await expect(createWholeFile(place(tempFolder()))).rejects.toMatchObject({ code: 'invalid_option', message: expect.stringContaining('cannot be written') })
})

test('a place that went away, or became a folder, is said when it is written, and no draft stays', async () => {
  const folder = tempFolder()
  const [gone, taken] = [join(folder, 'gone'), join(folder, 'report.html')]
  mkdirSync(gone)
  const files = [await createWholeFile(join(gone, 'report.html')), await createWholeFile(taken)]
  rmSync(gone, { recursive: true })
  mkdirSync(taken)
  for (const file of files) await expect(file.write('x')).rejects.toMatchObject({ code: 'invalid_option' })
  expect(readdirSync(folder)).toEqual(['report.html'])
})
