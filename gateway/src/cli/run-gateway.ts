import { resolve } from 'node:path'
import { createRedactor } from '@callgate/core'
import type { Redactor, Store } from '@callgate/core'
import { systemClock, systemRandom } from '@callgate/core/local'
import { formatProblem, loadGates } from '@callgate/gates-file/load'
import type { GatesFile } from '@callgate/gates-file/load'
import { chooseServer } from '../http/choose-server.ts'
import { runTarget } from '../http/run-target.ts'
import { findExposure, refuseExposure } from '../state/exposure.ts'
import { openStore } from '../state/open-store.ts'
import { createProcessOwner } from '../state/process-owner.ts'
import { openRedactionKey } from '../state/redaction-key.ts'
import { locateStore, realGatesPath } from '../state/store-location.ts'
import type { StoreLocation } from '../state/store-location.ts'
import { createLineLog } from './line-log.ts'
import type { Surroundings } from './surroundings.ts'
import { refuseUnkeptWords } from './unkept-words.ts'

/** The flags of `callgate run`. Waits are milliseconds. */
export type RunOptions = {
  readonly gates: string
  readonly store?: string
  readonly url?: string
  readonly listen?: string
  readonly tokenFile?: string
  readonly allowHost?: readonly string[]
  readonly sessionHeader?: string
  readonly header?: readonly string[]
  readonly session?: string
  readonly allowInside?: boolean
  readonly holdMs: number
  readonly holdProgressMs: number
  readonly json?: boolean
}

/**
 * Runs the gateway until the client or the server ends, and resolves with the exit code. Nothing starts, and it
 * rejects, where the gates file is missing or invalid, no server is named, the store cannot be opened, or either file
 * lies below a path that the server is given (contract 12).
 */
export async function runGateway(server: readonly string[], options: RunOptions, surroundings: Surroundings): Promise<number> {
  const { env, cwd, stderr, stdin, stdout, username } = surroundings
  const format = options.json === true ? jsonLine : (message: string): string => `callgate: ${message}\n`
  const { line: log, close } = createLineLog(stderr, format, systemClock())
  const gatesPath = resolve(cwd, options.gates)
  const realPath = realGatesPath(options.gates, cwd)
  const { gates, warnings } = await loadGates(gatesPath)
  refuseUnkeptWords(gates, gatesPath)
  for (const warning of warnings) log(`warning: ${formatProblem(warning)}`)
  const target = chooseServer(server, options, gates.server, { env, gatesPath })
  const location = locateStore(options, surroundings)
  checkInside(target.kind === 'command' ? target.command : [], gatesPath, location, options, surroundings, log)
  if (location.kind === 'memory')
    log('the store is in memory: holds cannot be answered by another process, and the record ends with this one.')
  const redactor = redactorOf(gates, location)
  const { owner, isOwnerGone } = createProcessOwner(systemRandom().id())
  const code = await withOpened(await openStore(location), log, async (store) => {
    const ended = await runTarget(target, options, {
      env,
      cwd,
      store,
      gates: gates.rules,
      ...(gates.typing !== undefined && { typing: gates.typing }),
      ...(redactor !== undefined && { redactor }),
      principal: `${username}:${realPath}`,
      requester: username,
      session: options.session ?? systemRandom().id(),
      owner,
      isOwnerGone,
      input: stdin,
      output: stdout,
      stderr,
      log,
      holdWaitMs: options.holdMs,
      holdWaitProgressMs: options.holdProgressMs,
    })
    stdin.destroy()
    return ended
  })
  close()
  surroundings.leave?.(code)
  return code
}

function redactorOf({ redact: paths }: GatesFile, location: StoreLocation): Redactor | undefined {
  return paths === undefined ? undefined : createRedactor({ paths, key: openRedactionKey(location, systemRandom()) })
}

function jsonLine(message: string): string {
  return `${JSON.stringify({ message })}\n`
}

function checkInside(
  command: readonly string[],
  gatesPath: string,
  location: StoreLocation,
  { allowInside, tokenFile }: RunOptions,
  { cwd, home }: Surroundings,
  log: (message: string) => void,
): void {
  const storeFiles =
    location.kind === 'memory' ? [] : ['', '-wal', '-shm', '.key'].map((suffix) => ({ what: 'store', path: location.path + suffix }))
  const tokenFiles = tokenFile === undefined ? [] : [{ what: 'token file', path: resolve(cwd, tokenFile) }]
  for (const file of [{ what: 'gates file', path: gatesPath }, ...storeFiles, ...tokenFiles]) {
    const question = { command, cwd, home, files: [file] }
    if (allowInside !== true) refuseExposure(question)
    const found = findExposure(question)
    if (found !== undefined)
      log(`warning: the ${found.what} ${found.path} lies inside ${found.given}, which the server is given (--allow-inside).`)
  }
}

async function withOpened(
  store: Store,
  log: (message: string) => void,
  work: (store: Store) => Promise<number>,
): Promise<number> {
  try {
    return await work(store)
  } finally {
    await store.close().catch((error: unknown) => log(`the store could not be closed in order: ${String(error)}`))
  }
}
