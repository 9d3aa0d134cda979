import type { Mark, MarkQuery } from '../gates/ledger.ts'
import type { SessionScope, Store } from '../ports/store.ts'
import { assertSame, byGateAndKey } from './store-claims.ts'
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
  {
    name: 'marks: the marks of a gate add up, one a key, each with its own fact, expiry and uses',
    async check({ store }) {
      const plain = { gate: 'g', at: 1 }
      const kept = { gate: 'g', at: 2, key: '"a"', fact: '{"status":"open"}', expiresAt: 9, uses: 2 }
      const other = { gate: 'g', at: 3, key: '"b"', expiresAt: 5 }
      await store.marks.add(scope, [plain, kept], 'soon')
      await store.marks.add(scope, [other], 'now')
      await expectMarks(store, scope, [plain, kept, other])
      const again = { gate: 'g', at: 4, key: '"a"' }
      await store.marks.add(scope, [again], 'soon')
      await expectMarks(store, scope, [plain, again, other])
    },
  },
  {
    name: 'marks: adding resolves with what was replaced, as it stood before',
    async check({ store }) {
      const first = [{ gate: 'g', at: 1 }, { gate: 'g', at: 1, key: '"a"', fact: '1', uses: 3 }, { gate: 'h', at: 1, key: '"a"' }]
      assertSame(await store.marks.add(scope, first, 'soon'), [], 'what new marks replaced')
      const next = [{ gate: 'g', at: 2, key: '"a"' }, { gate: 'g', at: 2, key: '"b"' }, { gate: 'h', at: 2 }]
      assertSame(await store.marks.add(scope, next, 'now'), [first[1]], 'what was replaced')
      assertSame(await store.marks.add(scope, [], 'soon'), [], 'what nothing replaced')
      const twice = [{ gate: 'g', at: 3 }, { gate: 'g', at: 4 }, { gate: 'n', at: 3 }, { gate: 'n', at: 4 }]
      assertSame(await store.marks.add(scope, twice, 'soon'), [first[0]], 'what was replaced by the same mark twice')
      await expectMarks(store, scope, [{ gate: 'g', at: 4 }, { gate: 'n', at: 4 }, ...next, { gate: 'h', at: 1, key: '"a"' }])
      assertSame(await store.marks.add({ principal: 'bob', session: 's1' }, first, 'soon'), [], 'what was replaced in another session')
    },
  },
  {
    name: 'marks: a list names gates and keys, and each mark is in it once',
    async check({ store }) {
      const marks = ['g', 'h'].flatMap((gate) => [{ gate, at: 1 }, { gate, at: 1, key: '"a"' }, { gate, at: 1, key: '"b"' }])
      await store.marks.add(scope, marks, 'soon')
      const [, ga, gb, h, ha, hb] = marks
      await expectMarks(store, scope, marks.slice(0, 3), [{ gate: 'g' }])
      await expectMarks(store, scope, [ga], [{ gate: 'g', keys: ['"a"', '"c"', '"a"'] }])
      await expectMarks(store, scope, [ga, gb, h, ha, hb], [{ gate: 'g', keys: ['"a"'] }, { gate: 'g', keys: ['"b"', '"a"'] }, { gate: 'h' }, { gate: 'h', keys: ['"a"'] }])
      for (const queries of [[], [{ gate: 'g', keys: [] }], [{ gate: 'g', keys: ['a', '""', ''] }], [{ gate: 'G' }, { gate: '"a"' }, { gate: '' }]]) await expectMarks(store, scope, [], queries)
    },
  },
  {
    name: 'marks: every key is a key, and none meets another or what has none',
    async check({ store }) {
      const keys = ['', '""', '"', '"\\ud800"', '\ud800', '\ud801', '\ufffd', '__proto__', '"__proto__"', 'constructor', '7', '"7"', 'null', '\u0000', 'a\u0000b', '🔑', '{"a":[1,2]}', "'; --"]
      const marks: readonly Mark[] = [{ gate: 'g', at: -1 }, ...keys.map((key, at) => ({ gate: 'g', at, key }))]
      await store.marks.add(scope, marks, 'soon')
      await expectMarks(store, scope, marks)
      for (const [at, key] of keys.entries()) await expectMarks(store, scope, [{ gate: 'g', at, key }], [{ gate: 'g', keys: [key] }])
      await expectMarks(store, scope, marks.slice(1), [{ gate: 'g', keys }])
    },
  },
  {
    name: 'marks: ten thousand keys of one gate are added, found by their keys, and replaced',
    async check({ store }) {
      const marks = Array.from({ length: 10_000 }, (_, n) => ({ gate: 'g', at: 1, key: `"INV-${n}"`, fact: `${n}` }))
      await store.marks.add(scope, marks, 'soon')
      await expectMarks(store, scope, marks, [{ gate: 'g', keys: [...marks.map(({ key }) => key), '"INV-10000"'] }])
      await expectMarks(store, scope, marks.slice(7_000, 7_001), [{ gate: 'g', keys: ['"INV-7000"'] }])
      assertSame((await store.marks.add(scope, marks, 'soon')).length, 10_000, 'how many were replaced')
    },
  },
  {
    name: 'marks: what happens to a mark after it was added does not reach the store',
    async check({ store }) {
      const mark = { gate: 'g', at: 1, key: '"a"' }
      await store.marks.add(scope, [mark], 'soon')
      Object.assign(mark, { key: '"b"', gate: 'h' })
      await expectMarks(store, scope, [{ gate: 'g', at: 1, key: '"a"' }])
    },
  },
]

async function expectMarks(store: Store, scope: SessionScope, expected: readonly (Mark | undefined)[], queries?: readonly MarkQuery[]): Promise<void> {
  const found = await store.marks.list(scope, queries)
  const wanted = expected.flatMap((mark) => mark ?? [])
  assertSame(found.toSorted(byGateAndKey), wanted.toSorted(byGateAndKey), `marks of ${JSON.stringify(scope)}`)
}
