import { lstatSync, readlinkSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, parse, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CallgateError } from '@callgate/core'

const MAX_LINKS = 40

/** What is looked at: the server's command, where and for whom it runs, and the files that it must not be given. */
export type ExposureQuestion = {
  readonly command: readonly string[]
  readonly cwd: string
  readonly home: string
  /** Absolute paths with a name for each ("gates file"); they need not exist. */
  readonly files: readonly { readonly what: string; readonly path: string }[]
}

/** A file that lies below, or is, a path given to the server's command. */
export type Exposure = { readonly what: string; readonly path: string; readonly argument: string; readonly given: string }

/**
 * The first file that an agent could reach through the server (contract 12): one that lies below a path in the command.
 * Each argument counts whole and in the pieces that white space, quotes, brackets and punctuation make of it, glued to a
 * short option, as a `file:` URL or with `~/`; also where nothing stands there yet, since the store makes its folder. Links
 * count at every step: whoever may replace one may replace the file.
 */
export function findExposure({ command, cwd, home, files }: ExposureQuestion): Exposure | undefined {
  const given = command.flatMap((argument) =>
    pathsIn(argument, cwd, home).map((path) => ({ argument, path, identity: identityOf(path) })),
  )
  for (const { what, path } of files) {
    const above = new Set(placesOf(path).flatMap(ancestorIdentities))
    const hit = given.find(({ identity }) => above.has(identity))
    if (hit !== undefined) return { what, path, argument: hit.argument, given: hit.path }
  }
  return undefined
}

/** Throws `state_exposed` with the file, the path, and the two ways out, where `findExposure` finds one. */
export function refuseExposure(question: ExposureQuestion): void {
  const found = findExposure(question)
  if (found === undefined) return
  throw new CallgateError(
    'state_exposed',
    `The ${found.what} ${found.path} lies inside ${found.given}, which the server is given ("${found.argument}"): ` +
      `what the agent writes there could change its own rules. Move the ${found.what} elsewhere (--gates and --store say ` +
      `where they are), or say --allow-inside if the server cannot write there.`,
  )
}

/** Every path that one argument may name. */
function pathsIn(argument: string, cwd: string, home: string): readonly string[] {
  const glued = /^-[^-]./.test(argument) ? [argument.slice(2)] : []
  const pieces = new Set([argument, ...glued].flatMap((text) => [text, text.slice(text.indexOf('=') + 1), ...splitsOf(text)]))
  return [...pieces]
    .filter((piece) => piece !== '' && !piece.includes('\0'))
    .map((piece) => resolve(cwd, fromHome(fromUrl(piece), home)))
}

/** Coarse and fine pieces: a path may hold some of the characters that part others. */
function splitsOf(text: string): readonly string[] {
  return [/=/, /[=,:]/, /\s+/, /["'`]/, /[\s"'`=,:;|&<>@()[\]{}]+/].flatMap((separator) => text.split(separator))
}

function fromUrl(piece: string): string {
  if (!/^file:/i.test(piece)) return piece
  try {
    return fileURLToPath(piece)
  } catch {
    return piece.slice('file:'.length)
  }
}

function fromHome(piece: string, home: string): string {
  return piece === '~' || piece.startsWith('~/') ? join(home, piece.slice(1)) : piece
}

/**
 * Device and inode: the same for a folder under each of its names (links, mounts, letter case). What does not exist yet is
 * named by what is there above it and the rest of its path.
 */
function identityOf(path: string): string {
  let rest = ''
  for (let at = path; ; at = dirname(at)) {
    try {
      const { dev, ino } = statSync(at, { bigint: true })
      return `${dev}:${ino}${rest}`
    } catch {
      if (at === dirname(at)) return path
      rest = `/${basename(at)}${rest}`
    }
  }
}

function ancestorIdentities(path: string): readonly string[] {
  const identities: string[] = []
  for (let at = path; ; at = dirname(at)) {
    identities.push(identityOf(at))
    if (at === dirname(at)) return identities
  }
}

/** The file's real place, and the place of every link on the way to it. */
function placesOf(path: string): readonly string[] {
  const places: string[] = []
  const { root } = parse(path)
  let pending = path.slice(root.length).split(sep)
  let at = root
  while (pending.length > 0) {
    const [step = '', ...rest] = pending
    const next = join(at, step)
    const target = places.length < MAX_LINKS ? linkTarget(next) : undefined
    if (target === undefined) {
      at = next
      pending = rest
      continue
    }
    places.push(next)
    const top = isAbsolute(target) ? parse(target).root : ''
    if (top !== '') at = top
    pending = [...target.slice(top.length).split(sep), ...rest]
  }
  return [...places, at]
}

function linkTarget(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined
  } catch {
    return undefined
  }
}
