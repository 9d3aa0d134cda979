import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keepFigures } from './keep-figures.ts'

test('figures replace the ones of their own command, and of no other', () => {
  const folder = mkdtempSync(join(tmpdir(), 'callgate-figures-'))
  try {
    const path = join(folder, 'page.md')
    writeFileSync(path, 'top\n<!-- figures: one -->\n\nold 1\n\n<!-- /figures -->\nmiddle\n<!-- figures: two -->\n\nold 2\n\n<!-- /figures -->\nend\n')
    keepFigures(path, 'one', 'new 1\n')
    keepFigures(path, 'two', 'new 2\n')
    expect(readFileSync(path, 'utf8')).toBe('top\n<!-- figures: one -->\n\nnew 1\n\n<!-- /figures -->\nmiddle\n<!-- figures: two -->\n\nnew 2\n\n<!-- /figures -->\nend\n')
    expect(() => keepFigures(path, 'three', 'new')).toThrow('no place for the figures of three')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
