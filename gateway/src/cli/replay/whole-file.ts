import { rename, rm, stat, writeFile } from 'node:fs/promises'
import { CallgateError } from '@callgate/core'

/** A file that is written at once, in the place of what may be there. */
export type WholeFile = { write(text: string): Promise<void> }

/**
 * Tries whether a file can be written at `path`, leaving there what is there. It is written beside its place and moved there, so
 * that none that is cut short is ever seen. Both reject with `invalid_option` where it cannot be.
 */
export async function createWholeFile(path: string): Promise<WholeFile> {
  const draft = `${path}.${process.pid}.part`
  const tried = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (cause) {
      // Of a draft that is there already another writer is the owner.
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') await rm(draft, { force: true }).catch(() => undefined)
      throw new CallgateError('invalid_option', `The report ${path} cannot be written: ${(cause as NodeJS.ErrnoException).code ?? String(cause)}. Name another file.`, { cause })
    }
  }
  await tried(async () => {
    if (await isFolder(path)) throw Object.assign(new Error('it is a folder'), { code: 'EISDIR' })
    await writeFile(draft, '', { flag: 'wx' })
    await rm(draft)
  })
  return {
    write: async (text) =>
      tried(async () => {
        await writeFile(draft, text, { flag: 'wx' })
        await rename(draft, path)
      }),
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then((found) => found.isDirectory(), () => false)
}
