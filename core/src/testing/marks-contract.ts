import type { Mark, SessionScope, Store } from '../ports/store.ts'
import { assertSame } from './store-claims.ts'
import type { StoreCheck } from './store-claims.ts'

const scope: SessionScope = { principal: 'ada', session: 's1' }

/** What every store promises of marks (contract 1, 9). */
export const marksContract: readonly StoreCheck[] = [
  {
    name: 'marks: a session begins without marks',
    async check({ store }) {
      await expectMarks(store, scope, [])
      await store.marks.add(scope, [], 'soon')
      await expectMarks(store, scope, [])
    },
  },
  {
    name: 'marks: what was added is listed, once, with the time of the last mark',
    async check({ store }) {
      await store.marks.add(scope, [{ gate: 'a', at: 1 }, { gate: 'b', at: 1 }], 'soon')
      await store.marks.add(scope, [{ gate: 'a', at: 2 }], 'now')
      await expectMarks(store, scope, [{ gate: 'a', at: 2 }, { gate: 'b', at: 1 }])
    },
  },
  {
    name: 'marks: a session counts only together with its principal',
    async check({ store }) {
      const scopes = [scope, { principal: 'bob', session: 's1' }, { principal: 'ada', session: 's2' }, { principal: 'adas', session: '1' }, { principal: '', session: '' }]
      for (const [at, each] of scopes.entries()) await store.marks.add(each, [{ gate: 'g', at }], 'soon')
      for (const [at, each] of scopes.entries()) await expectMarks(store, each, [{ gate: 'g', at }])
      await expectMarks(store, { principal: 'bob', session: 's2' }, [])
    },
  },
  {
    name: 'marks: reset clears one session and no other',
    async check({ store }) {
      const other = { principal: 'bob', session: 's1' }
      await store.marks.add(scope, [{ gate: 'a', at: 1 }, { gate: 'b', at: 1 }], 'soon')
      await store.marks.add(other, [{ gate: 'a', at: 1 }], 'soon')
      await store.marks.reset(scope)
      await expectMarks(store, scope, [])
      await expectMarks(store, other, [{ gate: 'a', at: 1 }])
      await store.marks.add(scope, [{ gate: 'b', at: 3 }], 'now')
      await expectMarks(store, scope, [{ gate: 'b', at: 3 }])
    },
  },
  {
    name: 'marks: every name is a name',
    async check({ store }) {
      const names = ['__proto__', 'constructor', 'hasOwnProperty', 'toString', '', ' ', 'é', 'e\u0301', '\u0000', 'a\u0000b', '🚪', "'; DROP TABLE marks; --", '\\', '"']
      for (const [at, name] of names.entries()) {
        const named = { principal: name, session: name }
        await store.marks.add(named, [{ gate: name, at }], 'soon')
        await expectMarks(store, named, [{ gate: name, at }])
      }
      await store.marks.add(scope, names.map((gate, at) => ({ gate, at })), 'soon')
      await expectMarks(store, scope, names.map((gate, at) => ({ gate, at })))
    },
  },
  {
    name: 'marks: names that differ in a lone surrogate do not meet',
    async check({ store }) {
      await store.marks.add({ principal: 'ada', session: '\ud800' }, [{ gate: '\ud800', at: 1 }], 'soon')
      await expectMarks(store, { principal: 'ada', session: '\ud801' }, [])
      await expectMarks(store, { principal: 'ada', session: '\ufffd' }, [])
      await expectMarks(store, { principal: 'ada', session: '\ud800' }, [{ gate: '\ud800', at: 1 }])
    },
  },
  {
    name: 'marks: a hundred sessions may add at the same time',
    async check({ store }) {
      const scopes = Array.from({ length: 100 }, (_, n) => ({ principal: 'ada', session: `s${n % 10}` }))
      await Promise.all(scopes.map((each, n) => store.marks.add(each, [{ gate: `g${n}`, at: n }], 'soon')))
      const expected = Array.from({ length: 10 }, (_, n) => ({ gate: `g${n * 10 + 3}`, at: n * 10 + 3 }))
      await expectMarks(store, { principal: 'ada', session: 's3' }, expected)
    },
  },
]

async function expectMarks(store: Store, scope: SessionScope, expected: readonly Mark[]): Promise<void> {
  const byGate = (a: Mark, b: Mark): number => (a.gate < b.gate ? -1 : 1)
  const found = await store.marks.list(scope)
  assertSame(found.toSorted(byGate), expected.toSorted(byGate), `marks of ${JSON.stringify(scope)}`)
}
