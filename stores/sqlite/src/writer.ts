import { CallgateError, GENESIS, prepareEntry } from '@callgate/core'
import type { EntryDraft, PreparedEntry, RecordHead } from '@callgate/core'
import { closedError, numberOf, textOf } from './driver.ts'
import type { Driver } from './driver.ts'

/** What a piece of work wants: its answer, and what it writes once everything it read is known. */
export type Plan<T> = { readonly value: T; write?(append: AppendEntries): void }

/** Durable work by group commit: what arrives in one turn of the event loop shares one transaction, in order of arrival. */
export type Writer = {
  /** Resolves when what `plan` wrote is durable. A plan that throws rejects alone; a failed transaction rejects all of it. */
  durably<T>(plan: () => Plan<T>): Promise<T>
  /** Takes drafts, to be read and written with the next transaction, or within 30 ms. */
  soon(drafts: readonly EntryDraft[]): void
  /** Resolves when all that was taken is durable; rejects with what kept it from it, or why a draft was refused, told once. */
  settled(): Promise<void>
  /** Writes what is left; throws where entries stay unwritten, or drafts were refused and nobody told. Later calls are refused. */
  close(): void
}

/** How many pieces of work may wait; one more writes them at once, and is refused where that fails. */
const MAX_WAITING = 10_000
const SOON_MS = 30
const RETRY_MS = 1_000

type AppendEntries = (entries: readonly PreparedEntry[]) => void

/**
 * `prepare` reads and may refuse; what it hands back writes. `settle` hears what became of it; where it is kept, a failed
 * transaction is not the end of it.
 */
type Job = { readonly isKept: boolean; prepare(): ((append: AppendEntries) => void) | undefined; settle(error?: unknown): void }

const HEAD = 'SELECT seq, hash FROM entries ORDER BY seq DESC LIMIT 1'
const INSERT = 'INSERT INTO entries (seq, hash, text) VALUES (?, ?, ?)'

/** The end of the chain as it stands in the file. */
export function readHead(driver: Driver): RecordHead {
  const row = driver.get(HEAD)
  return row === undefined ? GENESIS : { seq: numberOf(driver, row, 'seq'), hash: textOf(driver, row, 'hash') }
}

/** Makes the one writer of a store over its durable connection. */
export function createWriter(driver: Driver): Writer {
  let jobs: Job[] = []
  let immediate: NodeJS.Immediate | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let loss: { readonly error: unknown } | undefined

  const flush = (): void => {
    clearImmediate(immediate)
    clearTimeout(timer)
    immediate = timer = undefined
    const batch = jobs
    jobs = []
    if (batch.length === 0) return
    try {
      commit(driver, batch)
    } catch (error) {
      jobs = batch.filter(({ isKept }) => isKept)
      for (const job of batch) if (!job.isKept) job.settle(error)
      if (jobs.length > 0 && !isClosed) timer = setTimeout(flush, RETRY_MS).unref()
    }
  }
  const accept = (job: Job): void => {
    if (isClosed) throw closedError(driver.path)
    if (jobs.length >= MAX_WAITING) flush()
    if (jobs.length >= MAX_WAITING) throw overfull(driver.path)
    jobs.push(job)
  }
  const durably = <T>(plan: () => Plan<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      accept(durableJob(plan, resolve, reject))
      immediate ??= setImmediate(flush)
    })
  const tellLoss = (): void => {
    const told = loss
    loss = undefined
    if (told !== undefined) throw told.error
  }

  return {
    durably,
    soon(drafts) {
      accept(soonJob(drafts, (error) => (loss ??= { error })))
      timer ??= setTimeout(flush, SOON_MS).unref()
    },
    async settled() {
      await durably(() => ({ value: undefined }))
      tellLoss()
    },
    close() {
      if (isClosed) return
      isClosed = true
      flush()
      clearTimeout(timer)
      if (jobs.length > 0) throw unwritten(driver.path)
      tellLoss()
    },
  }
}

/** Drafts are read once, also where a failed transaction has them written again; none that is refused is kept. */
function soonJob(drafts: readonly EntryDraft[], refuse: (error: unknown) => void): Job {
  let entries: readonly PreparedEntry[] | undefined
  return {
    isKept: true,
    prepare() {
      const prepared = (entries ??= drafts.map(prepareEntry))
      return (append) => append(prepared)
    },
    settle: (error) => (error === undefined ? undefined : refuse(error)),
  }
}

function durableJob<T>(plan: () => Plan<T>, resolve: (value: T) => void, reject: (error: unknown) => void): Job {
  let finish = (): void => undefined
  return {
    isKept: false,
    prepare() {
      const planned = plan()
      finish = () => resolve(planned.value)
      return planned.write
    },
    settle: (error) => (error === undefined ? finish() : reject(error)),
  }
}

/** One transaction for a batch; only after its commit does anybody hear of it. */
function commit(driver: Driver, batch: readonly Job[]): void {
  const refused = new Map<Job, unknown>()
  driver.transact(() => {
    let head = readHead(driver)
    const append: AppendEntries = (entries) => {
      for (const seal of entries) {
        const { seq, hash, text } = seal(head)
        driver.run(INSERT, seq, hash, text)
        head = { seq, hash }
      }
    }
    for (const job of batch) {
      const write = planOf(driver, job, refused)
      write?.(append)
    }
  })
  for (const job of batch) job.settle(refused.get(job))
}

/** A plan that throws has written nothing and is refused alone, unless SQLite gave up the whole transaction with it. */
function planOf(driver: Driver, job: Job, refused: Map<Job, unknown>): ReturnType<Job['prepare']> {
  try {
    return job.prepare()
  } catch (error) {
    if (!driver.isInTransaction) throw error
    refused.set(job, error)
    return undefined
  }
}

function overfull(path: string): CallgateError {
  return new CallgateError('store_unavailable', `The store ${path} has ${MAX_WAITING} writes waiting. Try again when the disk has caught up.`)
}

function unwritten(path: string): CallgateError {
  return new CallgateError('store_unavailable', `The store ${path} was closed with entries of the record unwritten. Look at its disk.`)
}
