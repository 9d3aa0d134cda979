import { readFileSync, statSync } from 'node:fs'
import { CallgateError, sha256Hex } from '@callgate/core'

/** Who may speak to the gateway, by the bearer token of each request. */
export type KnownClients = {
  /** The subject of an `Authorization` header; undefined where it names nobody who is known. */
  identify(authorization: string | undefined): string | undefined
}

/** For whom everybody acts where no tokens are asked for. */
export const ANONYMOUS = 'anonymous'

const MIN_TOKEN = 16
const LINE = /^(?:(?<subject>[A-Za-z0-9][A-Za-z0-9._@-]{0,63}):[ \t]+)?(?<token>[\x21-\x7e]+)$/
const BEARER = /^bearer +([\x21-\x7e]+) *$/i
const OTHERS = 0o077

/**
 * Reads a token file: one client a line, as `NAME: TOKEN` or a token alone, which is then the subject `client`; `#` begins a
 * comment. `warn` hears where others may read it. Throws `invalid_option` with the line, and shows no token.
 */
export function readTokenFile(path: string, warn: (message: string) => void): KnownClients {
  const text = read(path)
  if ((statSync(path).mode & OTHERS) !== 0) warn(`warning: the token file ${path} can be read by others; run: chmod 600 ${path}`)
  const clients = text.split('\n').flatMap((line, index): readonly Client[] => {
    const written = line.trim()
    if (written === '' || written.startsWith('#')) return []
    const { subject = 'client', token = '' } = LINE.exec(written)?.groups ?? {}
    if (token.length >= MIN_TOKEN && subject !== ANONYMOUS) return [{ subject, digest: sha256Hex(token) }]
    throw invalid(`${path}:${index + 1} is no token: NAME: TOKEN, or a token alone, of at least ${MIN_TOKEN} visible characters`)
  })
  if (clients.length === 0) throw invalid(`The token file ${path} has no token: nobody could speak to the gateway`)
  return createKnownClients(clients)
}

type Client = { readonly subject: string; readonly digest: string }

/** Each token is compared, and each comparison takes as long: the time tells nothing of a token. */
function createKnownClients(clients: readonly Client[]): KnownClients {
  return {
    identify(authorization) {
      const given = sha256Hex(BEARER.exec(authorization ?? '')?.[1] ?? '')
      let found: string | undefined
      for (const { subject, digest } of clients) if (isEqual(digest, given)) found ??= subject
      return found
    },
  }
}

function isEqual(a: string, b: string): boolean {
  let difference = a.length ^ b.length
  for (let at = 0; at < a.length; at += 1) difference |= a.charCodeAt(at) ^ b.charCodeAt(at)
  return difference === 0
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw invalid(`The token file ${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`)
  }
}

function invalid(message: string): CallgateError {
  return new CallgateError('invalid_option', `${message}. Make one with: openssl rand -hex 32`)
}
