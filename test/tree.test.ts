import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runProgram } from '../scripts/run-tool.ts'
import { entriesOf, readPackages, readWorkspaces, walk } from '../scripts/workspace.ts'
import type { PackageManifest } from '../scripts/workspace.ts'
import { HOUSE } from './scratch.ts'

const read = (path: string): string => readFileSync(join(HOUSE, path), 'utf8')

describe('the tree', () => {
  test('tracks nothing that a tool makes', async () => {
    const { stdout } = await runProgram(HOUSE, 'git', ['ls-files'])
    const tracked = stdout.split('\n').filter((path) => path !== '')
    expect(tracked.length).toBeGreaterThan(100)
    expect(tracked.filter((path) => /(^|\/)(dist|node_modules|coverage|reports|\.stryker-tmp)\/|\.(tsbuildinfo|tgz|db|sqlite|log)$/.test(path))).toEqual([])
  })

  test('names no folder of one machine and no registry', () => {
    const found = walk(HOUSE, '').map((path) => [path, read(path)] as const)
      .filter(([, text]) => text.includes(`${HOUSE}/`) || text.includes(['registry', 'npmjs'].join('.')))
    expect(found.map(([path]) => path)).toEqual([])
    expect(read('package-lock.json')).not.toContain('"resolved": "http')
  })
})

describe('the packages', () => {
  const manifests = readPackages(HOUSE)
  const root = JSON.parse(read('package.json')) as PackageManifest
  const versions = new Map(readWorkspaces(HOUSE).map(({ manifest }) => [manifest.name, manifest.version]))

  test('share one version, also where they name each other, and the changelog knows it', () => {
    for (const { folder, manifest } of manifests) {
      expect(manifest.version, folder).toBe(root.version)
      for (const [name, range] of Object.entries(manifest.dependencies ?? {})) {
        if (versions.has(name)) expect(range, `${folder}: ${name}`).toBe(versions.get(name))
      }
    }
    expect(read('CHANGELOG.md')).toContain(`## ${root.version}`)
  })

  test('say what they are in the same way', () => {
    for (const { folder } of manifests) {
      const manifest = JSON.parse(read(`${folder}/package.json`)) as Record<string, unknown>
      expect(manifest, folder).toMatchObject({ license: 'Apache-2.0', type: 'module', engines: { node: '>=20.12' }, sideEffects: false })
      expect(manifest['description'], folder).toEqual(expect.any(String))
      expect(manifest['keywords'], folder).toEqual(expect.arrayContaining(['tool-calls']))
    }
  })

  test('carry the licence of the house', () => {
    for (const { folder } of manifests) expect(read(`${folder}/LICENSE`), folder).toBe(read('LICENSE'))
  })

  test('begin each entry with the source condition, and end it with what is built', () => {
    for (const { folder, manifest } of manifests) {
      for (const { specifier, conditions } of entriesOf({ folder, manifest })) {
        expect(Object.keys(conditions), specifier).toEqual(['callgate-source', 'types', 'default'])
        expect(existsSync(join(HOUSE, folder, conditions['callgate-source'] ?? '')), specifier).toBe(true)
      }
    }
  })

  test('run nothing of ours when they are installed', () => {
    for (const { folder } of [{ folder: '.' }, ...readWorkspaces(HOUSE)]) {
      const { scripts = {} } = JSON.parse(read(`${folder}/package.json`)) as { scripts?: Record<string, string> }
      expect(Object.keys(scripts).filter((name) => /^(pre|post)?(install|prepare)$/.test(name)), folder).toEqual([])
    }
  })
})

describe('.ci/run', () => {
  test("runs the README's test command, wherever it is called from", () => {
    const extract = /sed -n '(.*)' README\.md/.exec(read('.ci/run'))?.[1]
    expect(extract).toBe('/^npm .*npm test$/{p;q;}')
    expect(read('README.md').split('\n').find((line) => /^npm .*npm test$/.test(line))).toBe('npm ci && npm test')
  })

  test.each([
    ['all passed', '0', report(3, 0, ['passed']), '3 passed, 0 failed', 0],
    ['a test failed', '1', report(2, 1, ['passed', 'failed']), '2 passed, 1 failed', 1],
    ['a file broke before its tests', '1', report(2, 0, ['passed'], ['failed']), '2 passed, 1 failed', 1],
    ['a file broke and a test failed', '1', report(2, 1, ['failed'], ['failed']), '2 passed, 2 failed', 1],
    ['the command failed and named nothing', '1', report(3, 0, ['passed']), '3 passed, 1 failed', 1],
    ['nothing ran', '0', report(0, 0, []), '0 passed, 1 failed', 1],
    ['there is no report', '0', undefined, '0 passed, 1 failed', 1],
    ['the report is no JSON', '0', '{', '0 passed, 1 failed', 1],
  ])('counts honestly where %s', async (_where, status, text, line, code) => {
    const folder = await mkdtemp(join(tmpdir(), 'callgate-count-'))
    const path = join(folder, 'tests.json')
    if (text !== undefined) await writeFile(path, text)
    expect(await runProgram(HOUSE, process.execPath, ['.ci/count.mjs', status, path])).toEqual({ code, stdout: `${line}\n`, stderr: '' })
    await rm(folder, { recursive: true })
  })
})

function report(passed: number, failed: number, tests: readonly string[], broken: readonly string[] = []): string {
  const file = { status: tests.includes('failed') ? 'failed' : 'passed', assertionResults: tests.map((status) => ({ status })) }
  return JSON.stringify({
    numPassedTests: passed,
    numFailedTests: failed,
    testResults: [file, ...broken.map((status) => ({ status, assertionResults: [] }))],
  })
}
