import { readFileSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readImports } from '../scripts/guards/imports.ts'
import type { ImportGraph } from '../scripts/guards/imports.ts'
import { checkDocstrings } from '../scripts/guards/docstrings.ts'
import { checkLint } from '../scripts/guards/lint.ts'
import { checkSizes } from '../scripts/guards/sizes.ts'
import { checkTypes } from '../scripts/guards/types.ts'
import { checkUnused } from '../scripts/guards/unused.ts'
import type { Finding } from '../scripts/finding.ts'
import { readSources, walk } from '../scripts/workspace.ts'
import { DOC_PLANTS, IMPORT_PLANTS, LINT_PLANTS, SIZE_PLANTS, TYPE_PLANTS, UNUSED_PLANTS } from './planted.ts'
import type { Plant } from './planted.ts'
import { HOUSE, createScratch } from './scratch.ts'
import type { Scratch } from './scratch.ts'

const SLOW_MS = 180_000
const ROOMS = readdirSync(join(HOUSE, 'core/src'), { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => name)
const ROOM_PLANTS: readonly Plant[] = ROOMS.filter((room) => room !== 'policies').map((room) => ({
  rule: `core-${room}`,
  file: `core/src/${room}/planted-room.ts`,
  text: `export {} from '../${room === 'testing' ? 'wire' : 'testing'}/index.ts'\n`,
}))
const PLANTS = [...ROOM_PLANTS, ...TYPE_PLANTS, ...LINT_PLANTS, ...IMPORT_PLANTS, ...UNUSED_PLANTS, ...DOC_PLANTS, ...SIZE_PLANTS]

describe('the house as it stands', () => {
  test('compiles, tests included', async () => expect(await checkTypes(HOUSE)).toEqual([]), SLOW_MS)
  test('has nothing for oxlint to say', async () => expect(await checkLint(HOUSE)).toEqual([]), SLOW_MS)
  test('has no file, export or dependency that nothing uses', async () => expect(await checkUnused(HOUSE)).toEqual([]), SLOW_MS)
  test('documents each export, names each re-export', async () => expect(await checkDocstrings(HOUSE)).toEqual([]))
  test('keeps its files small', async () => expect(await checkSizes(HOUSE)).toEqual([]))

  test('keeps the import table, and dependency-cruiser saw it all', async () => {
    const graph = await readImports(HOUSE)
    expect(graph.findings).toEqual([])
    const sources = graph.modules.filter((path) => path.includes('/src/'))
    expect(sources.length).toBeGreaterThan(60)
    expect(graph.edges).toContainEqual({ from: 'core/src/model/policy.ts', to: 'core/src/model/attempt.ts' })
    expect(graph.edges).toContainEqual({ from: 'gateway/src/index.ts', to: expect.stringMatching(/^gateway\/src\//) as string })
  }, SLOW_MS)

  test('silences no guard', () => {
    const silenced = walk(HOUSE, '').filter((path) => /\.(ts|mjs|js)$/.test(path) && !path.startsWith('test/'))
      .filter((path) => !path.endsWith('.test.ts') && SILENCER.test(readFileSync(join(HOUSE, path), 'utf8')))
    expect(silenced).toEqual([])
  })
})

describe('a planted breach turns its guard red:', () => {
  let scratch: Scratch
  let types: readonly Finding[]
  let lint: readonly Finding[]
  let unused: readonly Finding[]
  let graph: ImportGraph

  beforeAll(async () => {
    scratch = await createScratch({ built: true })
    for (const { file, text } of PLANTS) await scratch.write(file, text)
    await scratch.append('core/src/index.ts', "export { scanJson as planted } from './wire/index.ts'\n")
    await scratch.replace('gates-file/package.json', '"yaml":', '"libsql": "0.5.29", "yaml":')
    ;[types, lint, unused, graph] = await Promise.all([
      checkTypes(scratch.root), checkLint(scratch.root), checkUnused(scratch.root), readImports(scratch.root),
    ])
  }, SLOW_MS)

  afterAll(() => scratch.remove())

  test.each(TYPE_PLANTS)('tsc: $rule in $file', (plant) => expectNamed(types, plant))
  test.each(LINT_PLANTS)('oxlint: $rule in $file', (plant) => expectNamed(lint, plant))
  test.each(UNUSED_PLANTS)('knip: $rule in $file', (plant) => expectNamed(unused, plant))
  test.each(DOC_PLANTS)('doc comments: $rule in $file', async (plant) => expectNamed(await checkDocstrings(scratch.root), plant))
  test.each(SIZE_PLANTS)('sizes: $rule in $file', async (plant) => expectNamed(await checkSizes(scratch.root), plant))
  test.each([...IMPORT_PLANTS, ...ROOM_PLANTS])('imports: $rule in $file', (plant) => expectNamed(graph.findings, plant))

  test('imports: core-entries in core/src/index.ts', () => {
    expectNamed(graph.findings, { rule: 'core-entries', file: 'core/src/index.ts' })
  })

  test('knip: a dependency that nothing imports', () => {
    expect(unused).toContainEqual({ rule: 'dependencies', file: 'gates-file/package.json', message: 'libsql' })
  })

  test('no rule of the import table is without its plant, no room of the core without its rule', () => {
    const planted = new Set([...IMPORT_PLANTS, ...ROOM_PLANTS].map(({ rule }) => rule).concat('core-entries'))
    expect([...planted].toSorted()).toEqual(graph.rules.toSorted())
    expect(graph.rules).toEqual(expect.arrayContaining(ROOMS.map((room) => `core-${room}`)))
  })

  test('the sizes as a whole: too many long files', async () => {
    const count = readSources(scratch.root).length + 1
    for (let n = 0; n < count; n += 1) await scratch.write(`gateway/src/planted-many/${n}.ts`, '// planted\n'.repeat(201))
    expect((await checkSizes(scratch.root)).map(({ rule }) => rule)).toEqual(expect.arrayContaining(['file-lines-50', 'file-lines-95']))
  })
})

test('nothing planted stays in the tree or outside it', () => {
  expect(walk(HOUSE, '').filter((path) => path.includes('planted'))).toEqual(['test/planted.ts'])
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith(`callgate-scratch-${process.pid}-`))).toEqual([])
})

const SILENCER = /(?:oxlint|eslint)-disable|@ts-expect-error|@ts-nocheck|stryker disable/i

function expectNamed(findings: readonly Finding[], { rule, file }: Pick<Plant, 'rule' | 'file'>): void {
  const there = findings.filter((finding) => finding.file === file).map((finding) => finding.rule)
  expect(there, `what was found in ${file}`).toContain(rule)
}
