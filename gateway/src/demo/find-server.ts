import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { CallgateError } from '@callgate/core'

const SERVER = '@modelcontextprotocol/server-filesystem'

/** The script of the npm filesystem server, found as Node finds packages. Throws `unsupported` where it is not installed. */
export function findFilesystemServer(): string {
  try {
    const manifest = createRequire(import.meta.url).resolve(`${SERVER}/package.json`)
    const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly bin: Readonly<Record<string, string>> }
    const [script] = Object.values(bin)
    if (script === undefined) throw new Error(`${manifest} names no program`)
    return join(dirname(manifest), script)
  } catch (cause) {
    throw notInstalled(SERVER, cause)
  }
}

/** The error of an optional package that only the demo needs. */
export function notInstalled(name: string, cause: unknown): CallgateError {
  return new CallgateError(
    'unsupported',
    `callgate demo needs ${name}, an optional dependency that is not installed. Run: npm install ${name}`,
    { cause },
  )
}
