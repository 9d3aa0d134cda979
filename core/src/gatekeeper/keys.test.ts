import { expect, test } from 'vitest'
import type { GateRule, MarkRule } from '../gates/gate-rule.ts'
import { call, ex, recorded, stage, verdicts } from './stage.fixture.ts'

const id = ex('args.id', ({ args }) => args['id'])
const ids = ex('result.ids', ({ result }) => result['ids'])
const edit: GateRule = { gate: 'read', tools: ['edit'], message: 'Read it first.', key: id }
const list: MarkRule = { gate: 'read', tools: ['list'], keys: ids }
const look: MarkRule = { gate: 'read', tools: ['look'], keys: id }
const asked = ex('fact.s == "open"', ({ fact }) => fact['s'] === 'open')

test('marks of a gate add up, and each key goes stale at a time of its own', async () => {
  const { session, clock } = stage({ rules: [edit], marks: [{ ...list, expiresMs: 1_000 }] })
  await call(session, 'list', {}, { ids: ['a', 'b'] })
  clock.advance(600)
  await call(session, 'list', {}, { ids: ['b', 'c'] })
  expect(await verdicts(session, 'edit', { id: 'a' }, { id: 'b' }, { id: 'c' })).toEqual(['ran', 'ran', 'ran'])
  clock.advance(400)
  expect(await verdicts(session, 'edit', { id: 'a' }, { id: 'b' }, { id: 'c' })).toEqual(['refused', 'ran', 'ran'])
  clock.advance(600)
  expect(await verdicts(session, 'edit', { id: 'b' }, { id: 'c' })).toEqual(['refused', 'refused'])
})

test('a refusal names no key as marked that has gone stale or is used up', async () => {
  const { session, clock } = stage({ rules: [edit], marks: [{ ...list, expiresMs: 1_000 }] })
  await call(session, 'list', {}, { ids: ['a'] })
  clock.advance(600)
  await call(session, 'list', {}, { ids: ['b'] })
  clock.advance(400)
  const { message } = await call(session, 'edit', { id: 'a' })
  expect(message).toContain('The gate "read" is not marked for "a" (it is marked for "b"): call "list" for "a"')
})

test('keys are compared as JSON: a number is not its text, and members have no order', async () => {
  const { session } = stage({ rules: [edit], marks: [list] })
  await call(session, 'list', {}, { ids: [7, { a: 1, b: 2 }] })
  expect(await verdicts(session, 'edit', { id: 7 }, { id: '7' }, { id: { b: 2, a: 1 } }, { id: { a: 1 } })).toEqual(['ran', 'refused', 'ran', 'refused'])
})

test('a key that is a list names the first of its items that is missing', async () => {
  const { session } = stage({ rules: [edit], marks: [list] })
  await call(session, 'list', {}, { ids: ['a', 'b'] })
  expect((await call(session, 'edit', { id: ['b', 'a'] })).verdict).toBe('ran')
  expect(await call(session, 'edit', { id: ['a', 'x', 'y'] })).toMatchObject({ unmet: [{ why: 'missing_key', key: '"x"' }] })
})

test('a call that names no key is told which argument to add', async () => {
  const { session } = stage({ rules: [edit], marks: [list] })
  await call(session, 'list', {}, { ids: ['a'] })
  const refused = await call(session, 'edit')
  expect(refused).toMatchObject({ verdict: 'refused', unmet: [{ gate: 'read', why: 'no_key' }] })
  expect(refused.message).toBe('Read it first.\n\nNothing was executed. The gate "read" asks for args.id, and this call does not have it. Add it, then send the call again.')
})

test('a read of one file opens no edit of another, and the refusal says which to read (case C4)', async () => {
  const path = ex('args.path', ({ args }) => args['path'])
  const { session } = stage({
    rules: [{ gate: 'file_read', tools: ['edit_file'], message: 'Read the file before you edit it.', key: path }],
    marks: [{ gate: 'file_read', tools: ['read_file'], keys: path }],
  })
  await call(session, 'read_file', { path: 'a.txt' }, 'text')
  const refused = await call(session, 'edit_file', { path: 'b.txt' })
  expect(refused).toMatchObject({ verdict: 'refused', rule: 'file_read', unmet: [{ why: 'missing_key', key: '"b.txt"' }] })
  expect(refused.message).toContain('call "read_file" for "b.txt"')
  expect((await call(session, 'edit_file', { path: 'a.txt' })).verdict).toBe('ran')
})

test('paths written differently are one key where both sides normalise them, and else both are shown (case C10)', async () => {
  const path = ex('path(args.path)', ({ args }) => lexical(args['path'] as string))
  const { session } = stage({ rules: [{ gate: 'file_read', tools: ['edit'], message: 'Read it first.', key: path }], marks: [{ gate: 'file_read', tools: ['read'], keys: path }] })
  await call(session, 'read', { path: './src/../src/a.ts' }, 'text')
  expect((await call(session, 'edit', { path: 'src/a.ts' })).verdict).toBe('ran')
  expect((await call(session, 'edit', { path: '/repo/src/a.ts' })).message).toContain('is not marked for "/repo/src/a.ts" (it is marked for "src/a.ts")')
})

test('a rule without a key is met by any key of its gate, and a condition is live while any is', async () => {
  const rules = [{ gate: 'read', tools: ['edit'], message: 'Read first.' }, { gate: 'ok', tools: ['send'], message: 'Ask first.', condition: 'read' }]
  const { session } = stage({ rules, marks: [look], external: ['ok'] })
  expect((await call(session, 'edit')).verdict).toBe('refused')
  expect((await call(session, 'send')).verdict).toBe('ran')
  await call(session, 'look', { id: 'a' })
  expect((await call(session, 'edit')).verdict).toBe('ran')
  expect((await call(session, 'send')).verdict).toBe('refused')
})

test('a later mark of the same key replaces the fact of that key and of no other', async () => {
  const { session } = stage({ rules: [{ ...edit, require: asked }], marks: [{ ...look, keep: ex('result', ({ result }) => result) }] })
  await call(session, 'look', { id: 'a' }, { s: 'open' })
  await call(session, 'look', { id: 'b' }, { s: 'open' })
  await call(session, 'look', { id: 'a' }, { s: 'shut' })
  expect(await verdicts(session, 'edit', { id: 'a' }, { id: 'b' })).toEqual(['refused', 'ran'])
  await call(session, 'look', { id: 'a' }, { s: 'open' })
  expect(await verdicts(session, 'edit', { id: 'a' })).toEqual(['ran'])
})

test('a fact that does not say so is unmet, with what is asked and where to look again', async () => {
  const { session } = stage({ rules: [{ ...edit, require: asked, line: 4 }], marks: [{ ...look, keep: ex('result', ({ result }) => result) }] })
  await call(session, 'look', { id: 'a' }, { s: 'shut' })
  const refused = await call(session, 'edit', { id: 'a' })
  expect(refused).toMatchObject({ verdict: 'refused', unmet: [{ why: 'require', key: '"a"', line: 4 }] })
  expect(refused.message).toBe('Read it first.\n\nNothing was executed. The gate "read" (line 4) asks for fact.s == "open", and what is known of "a" does not say so. If that may have changed, look again first with "look"; else do something else.')
})

test('a mark without a fact does not meet a rule that asks about one, and is no error', async () => {
  const { session } = stage({ rules: [{ ...edit, require: asked }], marks: [look] })
  await call(session, 'look', { id: 'a' })
  expect(await call(session, 'edit', { id: 'a' })).toMatchObject({ verdict: 'refused', cause: 'gate', unmet: [{ why: 'require' }] })
})

test.each<readonly [string, unknown, readonly string[]]>([
  ['as many facts as keys', [{ s: 'open' }, { s: 'shut' }], ['ran', 'refused']],
  ['one fact for all keys', { s: 'open' }, ['ran', 'ran']],
  ['fewer facts than keys', [{ s: 'open' }], ['refused', 'refused']],
  ['more facts than keys', [{ s: 'open' }, { s: 'open' }, { s: 'open' }], ['refused', 'refused']],
])('%s: a mark keeps them only where each key has its own or all have one', async (_, kept, expected) => {
  const { session } = stage({ rules: [{ ...edit, require: asked }], marks: [{ ...list, keep: ex('kept', () => kept) }] })
  await call(session, 'list', {}, { ids: ['a', 'b'] })
  expect(await verdicts(session, 'edit', { id: 'a' }, { id: 'b' })).toEqual(expected)
})

test('where keys and facts are not as many nothing is marked, not even what was marked before is changed, and the record says so', async () => {
  const found = stage({ rules: [{ ...edit, require: asked }], marks: [{ ...list, keep: ex('result.facts', ({ result }) => result['facts']) }] })
  await call(found.session, 'list', {}, { ids: ['a'], facts: [{ s: 'open' }] })
  await call(found.session, 'list', {}, { ids: ['a', 'b'], facts: [{ s: 'shut' }] })
  expect(await verdicts(found.session, 'edit', { id: 'a' }, { id: 'b' })).toEqual(['ran', 'refused'])
  const problem = 'The gate "read" was not marked: there are 2 keys and 1 facts.'
  expect(await recorded(found, 'mark')).toEqual([{ gate: 'read', tool: 'list', keys: ['"a"'] }, { tool: 'list', problems: [problem] }])
  expect(found.warnings).toEqual([problem])
})

test('a listing without keys marks none of them, and a null among them is no key', async () => {
  const { session } = stage({ rules: [edit], marks: [list] })
  await call(session, 'list', {}, { ids: [] })
  await call(session, 'list', {}, { ids: [null, 'a'] })
  expect(await verdicts(session, 'edit', { id: 'a' }, { id: null }, { id: 'null' })).toEqual(['ran', 'refused', 'refused'])
})

/** What `path()` does on both sides: no `.`, no `..` that can be taken away; the disk is not asked. */
function lexical(path: string): string {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..' && parts.length > 0) parts.pop()
    else if (part !== '.') parts.push(part)
  }
  return parts.join('/')
}
