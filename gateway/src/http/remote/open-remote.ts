import { CallgateError, sha256Hex } from '@callgate/core'
import { systemClock } from '@callgate/core/local'
import type { ChildServer } from '../../stdio/child-server.ts'
import { DEFAULT_LIMITS } from '../../stdio/stdio-gateway-options.ts'
import type { RemoteGatewayOptions } from './remote-gateway-options.ts'
import { connectRemote, placeOf } from './remote-server.ts'

const RENEW_MS = 10_000
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const HEADER_VALUE = /^[\t\x20-\x7e]*$/
const OWN_HEADERS = /^(?:host|content-length|content-type|accept|connection|transfer-encoding|last-event-id|mcp-.*)$/i

/** What of a gateway's options its server over HTTP is made of. */
export type RemoteOptions = Pick<RemoteGatewayOptions, 'url' | 'headers' | 'renewMs' | 'freeSocketMs' | 'clock' | 'limits' | 'server' | 'log'>

/** A server over HTTP and its name in the record. Throws `invalid_option` for a URL or a header that cannot be sent. */
export function openRemote(options: RemoteOptions): { readonly server: ChildServer; readonly name: string } {
  const url = parseServerUrl(options.url)
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const server = connectRemote({
    url,
    credentials: checkedHeaders(options.headers ?? {}),
    lineBytes: limits.lineBytes,
    backlogBytes: limits.backlogBytes,
    renewMs: options.renewMs ?? RENEW_MS,
    ...(options.freeSocketMs !== undefined && { freeSocketMs: options.freeSocketMs }),
    clock: options.clock ?? systemClock(),
    log: options.log,
  })
  return { server, name: options.server ?? serverName(url) }
}

/** Throws `invalid_option` where `openRemote` would. */
export function checkRemote({ url, headers = {} }: Pick<RemoteOptions, 'url' | 'headers'>): void {
  parseServerUrl(url)
  checkedHeaders(headers)
}

/** Reads a server's URL; throws `invalid_option` where it is none over http, or carries a user, who belongs in a header. */
function parseServerUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new CallgateError('invalid_option', `The server's URL must be one over http, such as http://127.0.0.1:3001/mcp.`)
  if (url.username !== '' || url.password !== '')
    throw new CallgateError('invalid_option', `The URL of ${placeOf(url)} carries a user: put the credentials under server.headers.`)
  url.hash = ''
  return url
}

/** Throws `invalid_option` for a header that HTTP cannot carry, or that the gateway writes itself; no value is shown. */
function checkedHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  for (const [name, value] of Object.entries(headers)) {
    const what = !HEADER_NAME.test(name)
      ? 'has a name that HTTP does not know'
      : OWN_HEADERS.test(name)
        ? 'is one that the gateway writes itself'
        : !HEADER_VALUE.test(value)
          ? 'has a value that no header can carry: only visible ASCII and blanks'
          : undefined
    if (what !== undefined) throw new CallgateError('invalid_option', `The header ${JSON.stringify(name)} of the server ${what}.`)
  }
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

/** Where it listens, and a digest of the whole: a query may hold what must not be recorded. */
function serverName(url: URL): string {
  return `${placeOf(url)}${url.search === '' ? '' : `#${sha256Hex(url.href).slice(0, 12)}`}`
}
