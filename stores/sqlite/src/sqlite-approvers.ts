import { CallgateError } from '@callgate/core'
import type { ApproverStore, ApproverToken } from '@callgate/core'
import { textOf } from './driver.ts'
import type { Driver, Row } from './driver.ts'
import { parseJson, toKey } from './key-text.ts'
import { invalidContent } from './store-error.ts'
import type { Writer } from './writer.ts'

const BY_ID = 'SELECT data, is_revoked FROM approvers WHERE id = ?'
const KNOWN = 'SELECT 1 FROM approvers WHERE id = ? OR token_hash = ?'
const ADD = 'INSERT INTO approvers (id, token_hash, is_revoked, data) VALUES (?, ?, 0, ?)'
const BY_HASH = 'SELECT data FROM approvers WHERE token_hash = ? AND is_revoked = 0'
const LIST = 'SELECT data FROM approvers ORDER BY n'
const REVOKE = 'UPDATE approvers SET is_revoked = 1, data = ? WHERE id = ?'

/** Approvers' tokens, hashed; durable as the record is. */
export function createSqliteApprovers(driver: Driver, writer: Writer): ApproverStore {
  return {
    async add(token) {
      const [id, hash, data] = [toKey(token.id), toKey(token.tokenHash), JSON.stringify(token)]
      return writer.durably(() => {
        if (driver.get(KNOWN, id, hash) !== undefined) throw knownToken(token.id)
        return { value: undefined, write: () => driver.run(ADD, id, hash, data) }
      })
    },
    async findByHash(tokenHash) {
      const row = driver.get(BY_HASH, toKey(tokenHash))
      return row === undefined ? undefined : tokenOf(driver, row)
    },
    async list() {
      return driver.all(LIST).map((row) => tokenOf(driver, row))
    },
    async revoke(id, at) {
      return writer.durably(() => {
        const row = driver.get(BY_ID, toKey(id))
        if (row === undefined || row['is_revoked'] !== 0) return { value: false }
        const data = JSON.stringify({ ...tokenOf(driver, row), revokedAt: at })
        return { value: true, write: () => driver.run(REVOKE, data, toKey(id)) }
      })
    },
  }
}

function tokenOf(driver: Driver, row: Row): ApproverToken {
  const token = parseJson(driver.path, textOf(driver, row, 'data'))
  if (!isToken(token)) throw invalidContent(driver.path, "an approver's token of a wrong shape")
  return token
}

function isToken(value: unknown): value is ApproverToken {
  const { id, name, roles, tokenHash, createdAt, revokedAt } = (value ?? {}) as Partial<ApproverToken>
  const texts: readonly unknown[] = Array.isArray(roles) ? [id, name, tokenHash, ...roles] : [undefined]
  return texts.every((text) => typeof text === 'string') && typeof createdAt === 'number' && ['undefined', 'number'].includes(typeof revokedAt)
}

function knownToken(id: string): CallgateError {
  return new CallgateError('store_invalid', `The approver's token ${JSON.stringify(id)} is there already. Make a new one.`)
}
