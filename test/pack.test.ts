import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleCommandLine } from '../scripts/bundle-command-line.ts'
import type { Finding } from '../scripts/finding.ts'
import { checkApi, updateApi } from '../scripts/guards/api.ts'
import { checkPackages } from '../scripts/guards/packages.ts'
import { buildAll } from '../scripts/guards/types.ts'
import { packAll } from '../scripts/pack.ts'
import type { Tarball } from '../scripts/pack.ts'
import { runProgram, runTool } from '../scripts/run-tool.ts'
import { entriesOf, readPackages } from '../scripts/workspace.ts'
import { HOUSE, createScratch } from './scratch.ts'
import type { Scratch } from './scratch.ts'

const SLOW_MS = 300_000
const ENTRIES = readPackages(HOUSE).flatMap(entriesOf).map(({ specifier }) => specifier)

const EXAMPLES = readPackages(HOUSE).flatMap(({ folder, manifest }) =>
  [...readFileSync(join(HOUSE, folder, 'README.md'), 'utf8').matchAll(/```ts\n(.*?)```/gs)].map(([, text = ''], n) => ({
    file: `${manifest.name.replace('@callgate/', '')}-${n}`, text,
  })))

let scratch: Scratch
let folder: string
let tarballs: readonly Tarball[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callgate-consumer-'))
  scratch = await createScratch()
  expect(await buildAll(scratch.root)).toEqual([])
  await bundleCommandLine(scratch.root)
  tarballs = await packAll(scratch.root, folder)
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }))
  const { version } = JSON.parse(await readFile(join(HOUSE, 'node_modules/@types/node/package.json'), 'utf8')) as { version: string }
  const wanted = [...tarballs.map(({ path }) => path), `@types/node@${version}`]
  const args = ['install', '--prefer-offline', '--no-audit', '--no-fund', ...wanted]
  expect(await runProgram(folder, 'npm', args)).toMatchObject({ code: 0 })
}, SLOW_MS)

afterAll(async () => {
  await scratch.remove()
  await rm(folder, { recursive: true, force: true })
})

test('a packed package holds what it declares, its licence and its readme, and no test', () => {
  const wanted = ['package.json', 'README.md', 'LICENSE', 'dist/index.js', 'dist/index.d.ts', 'src/index.ts']
  for (const { name, files } of tarballs) {
    expect(wanted.filter((path) => !files.includes(path)), `missing in ${name}`).toEqual([])
    expect(files.filter((path) => /\.(test|fixture)\.|tsbuildinfo|node_modules/.test(path)), name).toEqual([])
  }
})

test('the command line is packed whole, with the licences of what it holds', async () => {
  const { files } = tarballs.find(({ name }) => name === 'callgate') ?? expect.fail('callgate was not packed')
  const notices = await readFile(join(folder, 'node_modules/callgate/dist/bundle/THIRD-PARTY-LICENSES.txt'), 'utf8')
  for (const library of ['ajv', 'commander', 'yaml', '@marcbachmann/cel-js', 're2js']) {
    expect(notices).toMatch(new RegExp(`^${library} [0-9.]+ \\([A-Z-0-9]+\\)\n=+\n\n[^]*?(?:Permission|Redistribution)`, 'm'))
  }
  expect(files.filter((path) => path.startsWith('dist/bundle/')).length).toBeLessThan(60)
})

test.each(ENTRIES)('plain node imports %s from what was built', async (entry) => {
  const script = `await import('${entry}'); console.log(import.meta.resolve('${entry}'))`
  const run = await runProgram(folder, process.execPath, ['--input-type=module', '--eval', script])
  expect(run).toMatchObject({ code: 0, stdout: expect.stringMatching(/node_modules\/.*\/dist\/.*(?:index|load)\.js\n$/) as string })
})

test.each([['nodenext', 'nodenext'], ['esnext', 'bundler']])('a consumer type-checks with module %s and resolution %s', async (module, moduleResolution) => {
  for (const { file, text } of EXAMPLES) await writeFile(join(folder, `${file}.ts`), text)
  await writeFile(join(folder, 'entries.ts'), ENTRIES.map((entry, n) => `import type * as E${n} from '${entry}'\nexport type { E${n} }\n`).join(''))
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({
    compilerOptions: { module, moduleResolution, target: 'es2023', lib: ['es2023'], types: ['node'], strict: true, noEmit: true, skipLibCheck: false },
    files: [...EXAMPLES.map(({ file }) => `${file}.ts`), 'entries.ts'],
  }))
  expect(await runTool(folder, 'typescript', 'tsc', ['-p', '.', '--pretty', 'false'])).toMatchObject({ code: 0, stdout: '' })
}, SLOW_MS)

test.each(EXAMPLES)('the example $file of the readmes runs on what was installed', async ({ file, text }) => {
  expect(text, 'an example writes below its own folder only').not.toMatch(/['"`](?:\/|~|\.\.)/)
  await writeFile(join(folder, `${file}.mjs`), text)
  expect(await runProgram(folder, process.execPath, [`${file}.mjs`])).toMatchObject({ code: 0, stderr: '' })
})

test("the core's example decides as its readme says", async () => {
  expect((await runProgram(folder, process.execPath, ['core-0.mjs'])).stdout).toBe('run 7\n')
  expect((await runProgram(folder, process.execPath, ['core-1.mjs'])).stdout).toBe('refused\n')
})

test('npx callgate --help answers', async () => {
  const run = await runProgram(folder, 'npx', ['--no-install', 'callgate', '--help'])
  expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('Usage: callgate') as string })
}, SLOW_MS)

test('the command that npx runs is a file under version control', async () => {
  const listed = await runProgram(HOUSE, 'git', ['ls-files', '--error-unmatch', 'gateway/bin/callgate.js'])
  expect(listed.code).toBe(0)
})

test('a file that a package exports as it is comes along', () => {
  for (const { folder, manifest } of readPackages(HOUSE)) {
    const { files = [] } = tarballs.find(({ name }) => name === manifest.name) ?? {}
    const exported = Object.values(manifest.exports ?? {}).filter((target) => typeof target === 'string')
    expect(exported.filter((path) => !files.includes(path.slice(2))), `missing in ${folder}`).toEqual([])
  }
})

test('publint and attw have nothing to say of what would be published', async () => {
  expect(await checkPackages(scratch.root)).toEqual([])
}, SLOW_MS)

test('the public API is the one in etc/', async () => {
  expect(await checkApi(scratch.root)).toEqual([])
}, SLOW_MS)

test('a name added to an entry turns api-extractor red until npm run api writes it down', async () => {
  await scratch.append('core/src/wire/index.ts', "export type { Reason as Planted } from '../model/reason.ts'\n")
  expect(await buildAll(scratch.root)).toEqual([])
  expect(await checkApi(scratch.root, ['core-wire'])).toEqual([expect.objectContaining({ rule: 'api-changed', file: 'etc/core-wire.api.md' })])
  expect(await updateApi(scratch.root, ['core-wire'])).toEqual([])
  expect(await readFile(join(scratch.root, 'etc/core-wire.api.md'), 'utf8')).toContain('Planted')
  expect(await checkApi(scratch.root, ['core-wire'])).toEqual([])
}, SLOW_MS)

test('an entry that leads nowhere turns publint red, declarations that lead nowhere turn attw red', async () => {
  await scratch.replace('gates-file/package.json', './dist/index.js', './dist/planted.js')
  await scratch.append('stores/sqlite/dist/index.d.ts', "\nexport { planted } from './planted.js'\n")
  const findings = await checkPackages(scratch.root)
  expect(rulesIn(findings, 'gates-file/package.json')).toContain('publint FILE_DOES_NOT_EXIST')
  expect(rulesIn(findings, 'stores/sqlite/package.json')).toContain('attw InternalResolutionError')
}, SLOW_MS)

function rulesIn(findings: readonly Finding[], file: string): readonly string[] {
  return findings.filter((finding) => finding.file === file).map(({ rule }) => rule)
}
