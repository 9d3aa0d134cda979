import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The ways from the client to the server that are compared, in the order in which they take turns. */
export const ROUTE_NAMES = ['direct', 'pipe', 'callgate-memory', 'callgate-durable', 'callgate-typing'] as const

/** The name of one way from the client to the server. */
export type RouteName = (typeof ROUTE_NAMES)[number]

/** One way from the client to the server: the program to start and its environment. */
export type Route = {
  readonly name: RouteName
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
}

const GATES = `gates:
  rules:
    - gate: env_read
      tools: [get-sum]
      message: Run get-env first.
  marks:
    - gate: env_read
      tools: [get-env]
`

const TYPING = `${GATES}
typing:
  mode: strict
`

/**
 * The routes by name, all to `@modelcontextprotocol/server-everything` on stdio. Gates files, stores and state lie in
 * `folder`, which must exist. A durable store is one file for the whole run, as a user's would be.
 */
export function createRoutes(names: readonly RouteName[], folder: string): readonly Route[] {
  const require = createRequire(import.meta.url)
  const server = [process.execPath, require.resolve('@modelcontextprotocol/server-everything/dist/index.js'), 'stdio']
  const callgate = fileURLToPath(new URL('../bin/callgate.js', import.meta.resolve('callgate')))
  const pipe = fileURLToPath(new URL('./byte-pipe.js', import.meta.url))
  const gated = (gates: string, text: string, store: string): readonly string[] => {
    const path = join(folder, gates)
    writeFileSync(path, text)
    return [process.execPath, callgate, 'run', '--gates', path, '--store', store, '--', ...server]
  }
  const commands: Readonly<Record<RouteName, () => readonly string[]>> = {
    direct: () => server,
    pipe: () => [process.execPath, pipe, ...server],
    'callgate-memory': () => gated('gates.yml', GATES, 'memory:'),
    'callgate-durable': () => gated('gates.yml', GATES, join(folder, 'store.sqlite')),
    'callgate-typing': () => gated('typing.yml', TYPING, 'memory:'),
  }
  const env = { ...withoutCallgate(process.env), XDG_STATE_HOME: join(folder, 'state') }
  return names.map((name) => ({ name, command: commands[name](), env }))
}

function withoutCallgate(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('CALLGATE_')))
}
