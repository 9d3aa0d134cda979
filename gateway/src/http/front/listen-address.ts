import { CallgateError } from '@callgate/core'

/** Where the gateway listens. */
export type ListenAddress = { readonly host: string; readonly port: number }

const LOOPBACK = '127.0.0.1'
const ADDRESS = /^(?:(?<host>\[[0-9a-fA-F:.]+\]|[^\s:/[\]]+):)?(?<port>\d{1,5})$/
const LOOPBACK_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1', '[::1]'])

/** Reads `[HOST:]PORT`; without a host it is loopback. Throws `invalid_option`. */
export function parseListenAddress(text: string): ListenAddress {
  const { host = LOOPBACK, port = '' } = ADDRESS.exec(text)?.groups ?? {}
  if (port !== '' && Number(port) <= 65_535) return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) }
  throw new CallgateError('invalid_option', `--listen wants a port, or a host and a port, as 3000 or 127.0.0.1:3000, not ${JSON.stringify(text)}.`)
}

/** Whether only this machine reaches a host. */
export function isLoopback(host: string): boolean {
  return LOOPBACK_NAMES.has(host.toLowerCase()) || /^127(?:\.\d{1,3}){3}$/.test(host)
}

/** Whether a `Host` header, or an `Origin`, names a host that this gateway goes by; its port does not matter. */
export function createHostCheck(names: readonly string[]): { host(header: string | undefined): boolean; origin(header: string | undefined): boolean } {
  const known = new Set(names.map((name) => name.toLowerCase()))
  const isKnown = (host: string): boolean => known.has(host) || isLoopback(host) || known.has(host.replace(/^\[|\]$/g, ''))
  return {
    host: (header) => header !== undefined && isKnown(hostOf(`http://${header}`) ?? ''),
    // Programs send none; a browser always does, and `null` is how it says that it may not tell.
    origin: (header) => header === undefined || isKnown(hostOf(header) ?? ''),
  }
}

function hostOf(url: string): string | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  return parsed === undefined || parsed.username !== '' || parsed.hostname === '' ? undefined : parsed.hostname.toLowerCase()
}
