import { prepareEntry } from '@callgate/core'
import type { ClaimResult, Mark, MarkStore } from '@callgate/core'
import type { Driver } from './driver.ts'
import { pruneMarks, putMarks, readMarks, scopeKey } from './mark-rows.ts'
import type { ScopeKey, WrittenMark } from './mark-rows.ts'
import { takeClaim } from './take-claim.ts'
import type { Writer } from './writer.ts'

const END_STREAK = 'DELETE FROM streaks WHERE principal = ? AND session = ?'
const RESET = ['marks', 'charges', 'streaks'].map((table) => `DELETE FROM ${table} WHERE principal = ? AND session = ?`)

/**
 * Marks and charges. Adding is a transaction of its own, on the connection that waits for the disk where the marks must
 * survive a power cut, else on the quick one; a claim goes with the writer's, together with its entries. A look at one reads only.
 */
export function createSqliteMarks(durable: Driver, quick: Driver, writer: Writer): MarkStore {
  return {
    async list(scope, queries) {
      return readMarks(quick, scopeKey(scope), queries)
    },
    async add(scope, marks, durability) {
      if (marks.length === 0) return []
      const driver = durability === 'now' ? durable : quick
      // One statement is a transaction; should the streak that it ends outlive a crash, it closes more than it must.
      if (marks.length === 1) return addMarks(driver, scopeKey(scope), marks)
      const latest = [...new Map(marks.map((mark) => [JSON.stringify([mark.gate, mark.key]), mark])).values()]
      return driver.transact(() => addMarks(driver, scopeKey(scope), latest))
    },
    async claim(scope, claim, drafts) {
      const entries = drafts.map(prepareEntry)
      return writer.durably<ClaimResult>(() => {
        const taken = takeClaim(durable, { scope, claim })
        if (taken.kind === 'short') return { value: taken }
        return {
          value: { kind: 'claimed' },
          write(append) {
            taken.write()
            append(entries)
          },
        }
      })
    },
    async peek(scope, claim) {
      const taken = takeClaim(quick, { scope, claim })
      return taken.kind === 'short' ? taken : { kind: 'claimed' }
    },
    async reset(scope) {
      quick.transact(() => {
        for (const sql of RESET) quick.run(sql, ...scopeKey(scope))
      })
    },
  }
}

function addMarks(driver: Driver, scope: ScopeKey, marks: readonly Mark[]): readonly Mark[] {
  const written = putMarks(driver, scope, marks)
  const isNews = ({ mark, replaced }: WrittenMark): boolean => replaced === undefined || replaced.fact !== mark.fact || !isAlive(replaced, mark.at)
  if (written.some((each) => each.hasStreak && isNews(each))) driver.run(END_STREAK, ...scope)
  const fleeting = new Map(marks.flatMap(({ gate, at, expiresAt }) => (expiresAt === undefined ? [] : [[gate, at] as const])))
  for (const [gate, at] of fleeting) pruneMarks(driver, scope, gate, at)
  return written.flatMap(({ replaced }) => replaced ?? [])
}

function isAlive({ expiresAt, uses }: Mark, at: number): boolean {
  return (expiresAt === undefined || at < expiresAt) && uses !== 0
}
