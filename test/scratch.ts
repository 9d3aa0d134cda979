import { existsSync } from 'node:fs'
import { appendFile, cp, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { GENERATED, readWorkspaces } from '../scripts/workspace.ts'

/** The root of the repository. */
export const HOUSE: string = resolve(import.meta.dirname, '..')

/** A copy of the house outside the repository, with the house's third-party packages and its own workspaces linked in. */
export type Scratch = {
  readonly root: string
  /** Writes one file of the copy, its folders too. */
  write(path: string, text: string): Promise<void>
  append(path: string, text: string): Promise<void>
  /** Replaces a text that stands in a file of the copy; rejects where it does not. */
  replace(path: string, before: string, after: string): Promise<void>
  remove(): Promise<void>
}

/** Copies the sources and settings, and nothing that a tool made; `built` takes the last build along, so that the next one is short. */
export async function createScratch(options: { readonly built?: boolean } = {}): Promise<Scratch> {
  const root = await mkdtemp(join(tmpdir(), `callgate-scratch-${process.pid}-`))
  const isCopied = (part: string): boolean => !GENERATED.has(part) || (part === 'dist' && options.built === true)
  const filter = (source: string): boolean => relative(HOUSE, source).split(sep).every(isCopied)
  await cp(HOUSE, root, { recursive: true, preserveTimestamps: true, filter })
  await linkModules(root)
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  return {
    root,
    write,
    append: (path, text) => appendFile(join(root, path), text),
    replace: async (path, before, after) => {
      const text = await readFile(join(root, path), 'utf8')
      if (!text.includes(before)) throw new Error(`${path} no longer holds ${before}: mend the test`)
      await write(path, text.replace(before, () => after))
    },
    remove: () => rm(root, { recursive: true, force: true }),
  }
}

async function linkModules(root: string): Promise<void> {
  const workspaces = readWorkspaces(HOUSE)
  const own = new Map(workspaces.map(({ folder, manifest }) => [manifest.name, folder]))
  for (const folder of ['', ...workspaces.map((workspace) => workspace.folder)]) {
    const from = join(HOUSE, folder, 'node_modules')
    if (!existsSync(from)) continue
    for (const name of await packageNames(from)) {
      const link = join(root, folder, 'node_modules', name)
      await mkdir(dirname(link), { recursive: true })
      await symlink(own.has(name) ? join(root, own.get(name) ?? '') : join(from, name), link)
    }
  }
}

async function packageNames(modules: string): Promise<readonly string[]> {
  const names = (await readdir(modules)).filter((name) => !name.startsWith('.'))
  const nested = await Promise.all(names.map(async (name) =>
    name.startsWith('@') ? (await readdir(join(modules, name))).map((inner) => `${name}/${inner}`) : [name]))
  return nested.flat()
}
