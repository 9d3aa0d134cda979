import { CallgateError, openHold, prepareEntry, transitionHold } from '@callgate/core'
import type { Hold, HoldStore } from '@callgate/core'
import { numberOf, textOf } from './driver.ts'
import type { Driver, Row } from './driver.ts'
import { parseJson, toKey } from './key-text.ts'
import { invalidContent } from './store-error.ts'
import { takeClaim } from './take-claim.ts'
import type { Writer } from './writer.ts'

const BY_ID = 'SELECT n, data FROM holds WHERE id = ?'
const LATEST = 'SELECT n, data FROM holds WHERE binding = ? ORDER BY n DESC LIMIT 1'
const INSERT = 'INSERT INTO holds (id, binding, status, data) VALUES (?, ?, ?, ?)'
const UPDATE = 'UPDATE holds SET status = ?, data = ? WHERE id = ?'
const LIST = 'SELECT data FROM holds WHERE n < ? ORDER BY n DESC LIMIT ?'
const LIST_BY_STATUS = 'SELECT data FROM holds WHERE n < ? AND status IN (SELECT value FROM json_each(?)) ORDER BY n DESC LIMIT ?'

/** Holds; every transition is read, judged by the core and written in one transaction, together with its entries. */
export function createSqliteHolds(driver: Driver, writer: Writer): HoldStore {
  const find = (sql: string, key: string): Hold | undefined => {
    const row = driver.get(sql, toKey(key))
    return row === undefined ? undefined : holdOf(driver, row)
  }
  const update = (hold: Hold): void => driver.run(UPDATE, hold.status, JSON.stringify(hold), toKey(hold.id))

  return {
    async open(draft, draftsFor) {
      const wanted = { ...draft }
      return writer.durably(() => {
        const latest = find(LATEST, wanted.binding)
        const found = openHold(latest, wanted, wanted.id)
        const { hold } = found
        if (found.kind === 'opened' && find(BY_ID, hold.id) !== undefined) throw reusedId(hold.id)
        const entries = hold === latest ? [] : draftsFor(found).map(prepareEntry)
        return {
          value: found,
          write(append) {
            if (found.kind === 'opened') driver.run(INSERT, toKey(hold.id), toKey(hold.binding), hold.status, JSON.stringify(hold))
            else if (hold !== latest) update(hold)
            append(entries)
          },
        }
      })
    },
    async apply(id, event, drafts = [], take) {
      const entries = drafts.map(prepareEntry)
      return writer.durably(() => {
        const hold = find(BY_ID, id)
        if (hold === undefined) throw unknownHold(id)
        const transition = transitionHold(hold, event)
        if (transition.hold === hold) return { value: transition }
        const taken = take === undefined ? undefined : takeClaim(driver, take)
        if (taken?.kind === 'short') return { value: { kind: 'refused', hold, why: 'what the call needs is not there any more', short: taken } }
        return {
          value: transition,
          write(append) {
            taken?.write()
            update(transition.hold)
            append(entries)
          },
        }
      })
    },
    async get(id) {
      return find(BY_ID, id)
    },
    async list({ statuses, after, limit }) {
      const before = after === undefined ? Number.MAX_SAFE_INTEGER : placeOf(driver, after)
      const count = Math.max(0, limit)
      const rows = statuses === undefined ? driver.all(LIST, before, count) : driver.all(LIST_BY_STATUS, before, JSON.stringify(statuses), count)
      return rows.map((row) => holdOf(driver, row))
    },
  }
}

function holdOf(driver: Driver, row: Row): Hold {
  const hold = parseJson(driver.path, textOf(driver, row, 'data')) as Partial<Hold> | null
  if (typeof hold?.id !== 'string' || typeof hold.status !== 'string') throw invalidContent(driver.path, 'a hold without id or status')
  return hold as Hold
}

function placeOf(driver: Driver, id: string): number {
  const row = driver.get(BY_ID, toKey(id))
  if (row === undefined) throw unknownHold(id)
  return numberOf(driver, row, 'n')
}

function unknownHold(id: string): CallgateError {
  return new CallgateError('unknown_hold', `There is no hold ${JSON.stringify(id)}. Look at the list of holds for its id.`)
}

function reusedId(id: string): CallgateError {
  return new CallgateError('store_invalid', `The hold id ${JSON.stringify(id)} was given out before. Ids must be random.`)
}
