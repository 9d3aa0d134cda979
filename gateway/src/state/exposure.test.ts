import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { findExposure, refuseExposure } from './exposure.ts'
import { tempFolder } from './temp-folder.fixture.ts'

type World = { readonly root: string; readonly work: string; readonly gates: string }

/** `root/desk/rules/gates.yml`, and beside `desk` a folder `other`. */
function world(): World {
  const root = tempFolder()
  const work = join(root, 'desk')
  mkdirSync(join(work, 'rules'), { recursive: true })
  mkdirSync(join(root, 'other'))
  mkdirSync(join(root, 'desks'))
  const gates = join(work, 'rules', 'gates.yml')
  writeFileSync(gates, '')
  return { root, work, gates }
}

test('a store is found below a folder that is given and does not exist yet, since the store would make it', () => {
  const { root } = world()
  const store = join(root, 'new', 'deep', 'store.db')
  const question = (given: string): unknown => findExposure({ command: ['server', given], cwd: root, home: root, files: [{ what: 'store', path: store }] })
  expect(question(join(root, 'new'))).toMatchObject({ what: 'store' })
  expect(question('new/deep')).toMatchObject({ what: 'store' })
  expect(question(join(root, 'new', 'other'))).toBeUndefined()
  expect(question(join(root, 'ne'))).toBeUndefined()
})

const find = ({ root }: World, command: readonly string[], path: string, cwd = root): unknown =>
  findExposure({ command, cwd, home: root, files: [{ what: 'gates file', path }] })

test.each<[string, (world: World) => readonly string[]]>([
  ['the folder itself', ({ work }) => ['server', work]],
  ['a folder above it', ({ root }) => ['server', root]],
  ['the file itself', ({ gates }) => ['server', gates]],
  ['the root', () => ['server', '/']],
  ['a relative path', () => ['server', './desk']],
  ['a relative path with detours', () => ['server', 'other/../desk/rules/']],
  ['the current folder, where it is given', () => ['server', '.']],
  ['a value of an option', ({ work }) => ['server', `--root=${work}`]],
  ['a value of an option, with a name before it', ({ work }) => ['server', `--mount=type=bind,src=${work},dst=/data`]],
  ['a value glued to a short option', ({ work }) => ['server', `-d${work}`]],
  ['a volume', ({ work }) => ['docker', 'run', '-v', `${work}:/data`, 'image']],
  ['a volume glued to its option', ({ work }) => ['docker', 'run', `-v${work}:/data`, 'image']],
  ['a path in a shell command', ({ work }) => ['sh', '-c', `exec cat '${work}/rules/gates.yml' | tee x`]],
  ['a path in JSON', ({ work }) => ['server', JSON.stringify({ roots: [work] })]],
  ['a path after a semicolon', ({ work }) => ['server', `/x;${work}`]],
  ['a path behind an at sign', ({ work }) => ['server', `@${work}`]],
  ['a list of paths', ({ root, work }) => ['server', `${join(root, 'other')}:${work}`]],
  ['a file URL', ({ work }) => ['server', pathToFileURL(work).href]],
  ['a file URL as an option', ({ work }) => ['server', `--root=${pathToFileURL(work).href}/`]],
  ['a database URL', ({ work }) => ['server', `sqlite://${work}`]],
  ['a path from home', () => ['server', '~/desk']],
  ['home', () => ['server', '~']],
  ['the second of two', ({ root, work }) => ['server', join(root, 'other'), work]],
])('a gates file is found below %s', (_what, command) => {
  const here = world()
  expect(find(here, command(here), here.gates)).toMatchObject({ what: 'gates file', path: here.gates })
})

test.each<[string, (world: World) => readonly string[]]>([
  ['a folder beside it', ({ root }) => ['server', join(root, 'other')]],
  ['a folder whose name begins alike', ({ root }) => ['server', join(root, 'desks')]],
  ['a folder that does not exist', ({ root }) => ['server', join(root, 'desk', 'none')]],
  ['no path at all', () => ['npx', '-y', '@scope/server@1.2.3', '--flag', '-', '']],
  ['the current folder, where it is not given', () => ['server', 'stdio']],
  ['text with a zero character', () => ['server', 'a\0b']],
])('%s exposes nothing', (_what, command) => {
  const here = world()
  expect(find(here, command(here), here.gates)).toBeUndefined()
})

test('a path given through a link is the folder that it leads to', () => {
  const here = world()
  symlinkSync(here.work, join(here.root, 'link'))
  expect(find(here, ['server', join(here.root, 'link')], here.gates)).toBeDefined()
})

test('a gates file that is reached through a link counts where the link stands and where it leads', () => {
  const here = world()
  const outside = join(here.root, 'other', 'real.yml')
  writeFileSync(outside, '')
  const link = join(here.work, 'link.yml')
  symlinkSync(outside, link)
  expect(find(here, ['server', here.work], link)).toBeDefined()
  expect(find(here, ['server', join(here.root, 'other')], link)).toBeDefined()
})

test('a linked folder on the way to the gates file counts as well', () => {
  const here = world()
  mkdirSync(join(here.root, 'safe'))
  writeFileSync(join(here.root, 'safe', 'gates.yml'), '')
  symlinkSync('../safe', join(here.work, 'way'))
  expect(find(here, ['server', here.work], join(here.work, 'way', 'gates.yml'))).toBeDefined()
  expect(find(here, ['server', join(here.root, 'safe')], join(here.work, 'way', 'gates.yml'))).toBeDefined()
  expect(find(here, ['server', join(here.root, 'other')], join(here.work, 'way', 'gates.yml'))).toBeUndefined()
})

test('another name of the very file is the file', () => {
  const here = world()
  const twin = join(here.root, 'other', 'twin.yml')
  linkSync(here.gates, twin)
  expect(find(here, ['server', twin], here.gates)).toBeDefined()
})

test('a store that does not exist yet counts where it would stand', () => {
  const here = world()
  expect(find(here, ['server', here.work], join(here.work, 'none', 'yet', 'state.db'))).toBeDefined()
  expect(find(here, ['server', here.work], join(here.root, 'other', 'state.db'))).toBeUndefined()
})

test('links that lead in a circle end the search', () => {
  const here = world()
  symlinkSync('b', join(here.root, 'a'))
  symlinkSync('a', join(here.root, 'b'))
  expect(find(here, ['server', join(here.root, 'other')], join(here.root, 'a', 'gates.yml'))).toBeUndefined()
})

test('the refusal names the file, the path, the argument and both ways out', () => {
  const here = world()
  const question = {
    command: ['server', '--root=./desk'],
    cwd: here.root,
    home: here.root,
    files: [{ what: 'gates file', path: here.gates }],
  }
  expect(() => refuseExposure(question)).toThrow(expect.objectContaining({ code: 'state_exposed' }))
  for (const words of [here.gates, here.work, '--root=./desk', 'Move the gates file', '--allow-inside'])
    expect(() => refuseExposure(question)).toThrow(words)
})
