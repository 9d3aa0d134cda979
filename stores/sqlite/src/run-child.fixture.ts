import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

/** A child process that runs `store-child.fixture.ts`: what it printed, and the end of it. */
export type StoreChild = {
  readonly process: ChildProcess
  readonly lines: string[]
  /** Resolves with the first line, past or to come, that begins so. */
  line(prefix: string): Promise<string>
  /** Lets a child that said "ready" go on. */
  go(): void
  /** Resolves with the exit code, or null after a signal. */
  readonly ended: Promise<number | null>
}

/** Starts a child; with `maxFileKiB` no file that it writes may grow beyond. */
export type StartChild = (command: string, path: string, options?: { readonly argument?: string; readonly maxFileKiB?: number }) => StoreChild

/** Bundles the child from the sources into `folder`, so that nothing has to be built first and children start fast. */
export async function bundleChild(folder: string): Promise<StartChild> {
  const conditions = ['callgate-source', 'node', 'import', 'default']
  const paths = { libsql: import.meta.resolve('libsql') }
  await build({
    configFile: false,
    logLevel: 'error',
    resolve: { conditions },
    ssr: { noExternal: [/^@callgate\//], external: ['libsql'], resolve: { conditions } },
    build: {
      ssr: fileURLToPath(new URL('store-child.fixture.ts', import.meta.url)),
      outDir: folder,
      emptyOutDir: false,
      rolldownOptions: { output: { entryFileNames: 'store-child.mjs', paths } },
    },
  })
  return (command, path, { argument = '', maxFileKiB } = {}) => {
    const node = [process.execPath, join(folder, 'store-child.mjs'), command, path, argument]
    const [file = '', ...args] = maxFileKiB === undefined ? node : ['bash', '-c', `ulimit -f ${maxFileKiB}; exec "$@"`, 'bash', ...node]
    return follow(spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'] }))
  }
}

function follow(child: ReturnType<typeof spawn>): StoreChild {
  const lines: string[] = []
  const waiting = new Set<() => void>()
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  if (child.stdout === null || child.stdin === null) throw new Error('the child has no pipes')
  const { stdin } = child
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line)
    for (const wake of waiting) wake()
  })
  return {
    process: child,
    lines,
    ended,
    go: () => void stdin.end('go\n'),
    line: (prefix) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = lines.find((line) => line.startsWith(prefix))
          if (found === undefined) return
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
        void ended.then((code) => reject(new Error(`the child ended with ${code} without saying "${prefix}": ${lines.join('\n')}`)))
      }),
  }
}
