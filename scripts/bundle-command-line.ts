import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { rolldown } from 'rolldown'

/** What stays outside the bundle: a binary with its own loader, and what the demo finds by itself. */
const OUTSIDE = ['libsql', /^@modelcontextprotocol\//]

const NOTICES = 'THIRD-PARTY-LICENSES.txt'

type Notice = { readonly name: string; readonly text: string }

/**
 * Writes the built command line of `gateway` as a few files into `gateway/dist/bundle`, the libraries in it with their licences
 * beside them: a client waits for its servers to start, and hundreds of small modules cost it a tenth of a second.
 */
export async function bundleCommandLine(root: string): Promise<void> {
  const built = join(root, 'gateway/dist/cli')
  const folder = join(root, 'gateway/dist/bundle')
  const bundle = await rolldown({
    cwd: root,
    input: { main: join(built, 'main.js'), surroundings: join(built, 'surroundings.js') },
    platform: 'node',
    external: OUTSIDE,
    logLevel: 'warn',
  })
  await rm(folder, { recursive: true, force: true })
  const { output } = await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' })
  await bundle.close()
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
  await writeFile(join(folder, NOTICES), noticesText(await readNotices(modules)))
}

/** The licences of the libraries that the modules come from; throws where a library has none to pass on. */
async function readNotices(modules: readonly string[]): Promise<readonly Notice[]> {
  const folders = [...new Set(modules.flatMap((id) => packageFolder(id) ?? []))].sort()
  return Promise.all(folders.map(readNotice))
}

/** The folder of the library that a module belongs to; undefined for modules of our own. */
function packageFolder(id: string): string | undefined {
  const marker = `${sep}node_modules${sep}`
  const at = id.lastIndexOf(marker)
  if (at === -1) return undefined
  const [first = '', second = ''] = id.slice(at + marker.length).split(sep)
  return id.slice(0, at + marker.length) + (first.startsWith('@') ? join(first, second) : first)
}

async function readNotice(folder: string): Promise<Notice> {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>
  const file = (await readdir(folder)).find((each) => /^(licen[cs]e|copying)/i.test(each))
  const title = `${String(name)} ${String(version)} (${String(license)})`
  if (file === undefined && license === undefined) throw new Error(`${title} in ${folder} has no licence that could be passed on`)
  return { name: title, text: file === undefined ? '' : (await readFile(join(folder, file), 'utf8')).trim() }
}

function noticesText(notices: readonly Notice[]): string {
  const parts = notices.map(({ name, text }) => `${name}\n${'='.repeat(name.length)}\n\n${text}\n`)
  return `Libraries that the command line of callgate holds, and their licences.\n\n${parts.join('\n')}`
}
