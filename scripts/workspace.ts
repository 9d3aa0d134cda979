import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The members of a package.json that the guards read. */
export type PackageManifest = {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  /** Modules by conditions, or one file as it is. */
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  readonly dependencies?: Readonly<Record<string, string>>
}

/** A workspace of the house: its folder relative to the root, `/` between folders, and its manifest. */
export type Workspace = { readonly folder: string; readonly manifest: PackageManifest }

/** Every workspace that the root's package.json names, in its order. */
export function readWorkspaces(root: string): readonly Workspace[] {
  const { workspaces } = readJson<{ workspaces: readonly string[] }>(join(root, 'package.json'))
  return workspaces.flatMap((pattern) => expand(root, pattern)).map((folder) => ({
    folder,
    manifest: readJson<PackageManifest>(join(root, folder, 'package.json')),
  }))
}

/** The workspaces that are published. */
export function readPackages(root: string): readonly Workspace[] {
  return readWorkspaces(root).filter(({ manifest }) => manifest.private !== true)
}

/** One module that a package exports: what it is imported by, its report's name (`core-local`), and where its conditions lead. */
export type Entry = { readonly specifier: string; readonly name: string; readonly conditions: Readonly<Record<string, string>> }

/** Every module that a package exports; files that it exports as they are (a JSON Schema) are left out. */
export function entriesOf({ manifest }: Workspace): readonly Entry[] {
  return Object.entries(manifest.exports ?? {}).flatMap(([key, conditions]) => {
    if (typeof conditions === 'string') return []
    const specifier = `${manifest.name}${key.slice(1)}`
    return [{ specifier, name: specifier.replace('@callgate/', '').replaceAll('/', '-'), conditions }]
  })
}

/** The TypeScript sources of the workspaces, tests left out, as paths from the root with `/` between folders, sorted. */
export function readSources(root: string): readonly string[] {
  return readWorkspaces(root)
    .flatMap(({ folder }) => walk(root, `${folder}/src`))
    .filter((path) => path.endsWith('.ts') && !/\.(test|fixture)\.ts$/.test(path))
    .toSorted()
}

/** Every file below a folder of `root`; folders that tools fill (`dist`, `node_modules`) are left out. */
export function walk(root: string, folder: string): readonly string[] {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) return GENERATED.has(entry.name) ? [] : walk(root, path)
    return entry.isFile() ? [path] : []
  })
}

/** The folders that tools fill: never a source, never copied. */
export const GENERATED: ReadonlySet<string> = new Set(['node_modules', 'dist', '.git', '.stryker-tmp', 'coverage', 'reports'])

function expand(root: string, pattern: string): readonly string[] {
  if (!pattern.endsWith('/*')) return existsSync(join(root, pattern, 'package.json')) ? [pattern] : []
  const parent = pattern.slice(0, -2)
  return readdirSync(join(root, parent)).toSorted()
    .map((name) => `${parent}/${name}`)
    .filter((folder) => existsSync(join(root, folder, 'package.json')))
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, 'utf8')) as T
}
