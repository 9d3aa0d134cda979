import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import type { Finding } from '../finding.ts'
import { packAll } from '../pack.ts'
import type { Tarball } from '../pack.ts'

/** Packs each package and asks publint and attw about what would be published; the tree must be built. */
export async function checkPackages(root: string): Promise<readonly Finding[]> {
  const target = await mkdtemp(join(tmpdir(), 'callgate-pack-'))
  try {
    const findings: Finding[] = []
    for (const tarball of await packAll(root, target)) {
      findings.push(...(await checkManifest(tarball)), ...(await checkResolution(tarball)))
    }
    return findings
  } finally {
    await rm(target, { recursive: true, force: true })
  }
}

/** What publint says of one tarball, suggestions included. */
async function checkManifest({ folder, path }: Tarball): Promise<readonly Finding[]> {
  const bytes = await readFile(path)
  const tarball = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
  const { messages, pkg } = await publint({ pack: { tarball }, level: 'suggestion', strict: true })
  return messages.map((message) => ({
    rule: `publint ${message.code}`,
    file: `${folder}/package.json`,
    message: formatMessage(message, pkg, { color: false }) ?? message.code,
  }))
}

/** What attw says of one tarball, for who imports it as ESM; the house ships no CommonJS. */
async function checkResolution({ folder, path }: Tarball): Promise<readonly Finding[]> {
  const result = await checkPackage(createPackageFromTarballData(new Uint8Array(await readFile(path))))
  const file = `${folder}/package.json`
  if (result.types === false) return [{ rule: 'attw NoTypes', file, message: 'ships no types' }]
  return result.problems
    .filter((problem) => !('resolutionKind' in problem) || ESM_KINDS.has(problem.resolutionKind))
    .map((problem) => ({ rule: `attw ${problem.kind}`, file, message: JSON.stringify(problem) }))
}

const ESM_KINDS: ReadonlySet<string> = new Set(['node16-esm', 'bundler'])
