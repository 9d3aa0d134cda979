import type { ApproverToken } from '../ports/store.ts'
import { assertRejects, assertSame } from './store-claims.ts'
import type { StoreCheck } from './store-claims.ts'

const ada: ApproverToken = { id: 'k1', name: 'Ada', roles: ['finance', 'ops'], tokenHash: 'a'.repeat(64), createdAt: 5 }
const bob: ApproverToken = { id: 'k2', name: 'Bob', roles: [], tokenHash: 'b'.repeat(64), createdAt: 6 }

/** What every store promises of approvers' tokens (contract 10). */
export const approversContract: readonly StoreCheck[] = [
  {
    name: 'approvers: a token is found by its hash alone',
    async check({ store }) {
      await store.approvers.add(ada)
      await store.approvers.add(bob)
      assertSame(await store.approvers.findByHash(ada.tokenHash), ada, 'the token of the hash')
      assertSame(await store.approvers.findByHash('c'.repeat(64)), undefined, 'an unknown hash')
      assertSame(await store.approvers.findByHash('Ada'), undefined, 'a name')
      assertSame(await store.approvers.findByHash(''), undefined, 'an empty hash')
      assertSame(await store.approvers.list(), [ada, bob], 'the list, oldest first')
    },
  },
  {
    name: 'approvers: a token is revoked once, is then found no more, and stays in the list',
    async check({ store }) {
      await store.approvers.add(ada)
      assertSame(await store.approvers.revoke('k9', 9), false, 'revoking an unknown token')
      assertSame(await store.approvers.revoke('k1', 9), true, 'revoking')
      assertSame(await store.approvers.revoke('k1', 10), false, 'revoking again')
      assertSame(await store.approvers.findByHash(ada.tokenHash), undefined, 'the hash of a revoked token')
      assertSame(await store.approvers.list(), [{ ...ada, revokedAt: 9 }], 'the list')
    },
  },
  {
    name: 'approvers: neither an id nor a hash is given out twice',
    async check({ store }) {
      await store.approvers.add(ada)
      await assertRejects(store.approvers.add({ ...bob, id: ada.id }), 'store_invalid', 'the same id')
      await assertRejects(store.approvers.add({ ...bob, tokenHash: ada.tokenHash }), 'store_invalid', 'the same hash')
      assertSame(await store.approvers.list(), [ada], 'the list')
    },
  },
]
