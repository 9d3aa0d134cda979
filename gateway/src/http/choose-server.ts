import { CallgateError } from '@callgate/core'
import type { ServerSettings } from '@callgate/gates-file/load'

/** The server that a gateway stands before: a command, or where it listens and the headers of every request to it. */
export type ServerTarget =
  | { readonly kind: 'command'; readonly command: readonly string[] }
  | { readonly kind: 'url'; readonly url: string; readonly headers: Readonly<Record<string, string>> }

/** The flags that name a server, and its headers as they were written. */
export type ServerFlags = { readonly url?: string; readonly header?: readonly string[] }

/** Where references are looked up, and what the gates file is called. */
export type ServerPlace = { readonly env: Readonly<Record<string, string | undefined>>; readonly gatesPath: string }

const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g

/**
 * The server that the command line names, else the one of the gates file, whose headers go to its own URL only. Throws
 * `invalid_option` where there is none or more than one, or a header cannot be filled from the environment; no value is shown.
 */
export function chooseServer(
  command: readonly string[],
  { url, header = [] }: ServerFlags,
  settings: ServerSettings | undefined,
  { env, gatesPath }: ServerPlace,
): ServerTarget {
  if (url !== undefined && command.length > 0) throw invalid('--url and a command after -- name two servers: keep one.')
  if (url === undefined && header.length > 0) throw invalid('--header goes with --url; for server.url it stands under server.headers.')
  if (url !== undefined) return { kind: 'url', url, headers: fill(header.map(splitHeader), env) }
  if (command.length > 0) return { kind: 'command', command }
  if (settings?.command !== undefined) return { kind: 'command', command: settings.command }
  if (settings?.url !== undefined) return { kind: 'url', url: settings.url, headers: fill(Object.entries(settings.headers ?? {}), env) }
  throw invalid(`No server to run: name it after --, by --url, or under server in ${gatesPath}.`)
}

function splitHeader(text: string): readonly [string, string] {
  const colon = text.indexOf(':')
  const value = text.slice(colon + 1).trim()
  // What stands in a command line is seen by every user of the machine.
  if (colon < 1 || !new RegExp(REFERENCE).test(value))
    throw invalid("--header wants a name and a text with an environment variable: 'Authorization: Bearer ${API_TOKEN}'.")
  return [text.slice(0, colon).trim(), value]
}

function fill(headers: readonly (readonly [string, string])[], env: ServerPlace['env']): Readonly<Record<string, string>> {
  const filled = headers.map(([name, text]) => [name, text.replaceAll(REFERENCE, (_, variable: string) => valueOf(variable, name, env))])
  return Object.fromEntries(filled) as Record<string, string>
}

function valueOf(variable: string, header: string, env: ServerPlace['env']): string {
  const value = env[variable]
  if (value !== undefined && value !== '') return value
  throw invalid(`The environment has no ${variable}, which the header ${JSON.stringify(header)} of the server comes from.`)
}

function invalid(message: string): CallgateError {
  return new CallgateError('invalid_option', message)
}
