import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson } from '../model/canonical.ts'
import type { JsonObject } from '../model/json-value.ts'
import { chargeCall } from './charge-call.ts'
import { settleClaim } from './claim.ts'
import { compileGates } from './compile-gates.ts'
import type { CompiledGates } from './compile-gates.ts'
import type { Expression } from './expression.ts'
import type { GateRule, GateRules, LimitRule, MarkRule } from './gate-rule.ts'
import { constant, equals, member, throwing, viewOf, words } from './gates.fixture.ts'
import { judgeGates } from './judge-gates.ts'
import type { GateJudgement } from './judge-gates.ts'
import type { ChargeRow, Mark, Streak } from './ledger.ts'
import { NaiveGates } from './naive-gates.fixture.ts'
import type { NaiveCall } from './naive-gates.fixture.ts'
import { prepareCall } from './prepare-call.ts'
import { readMarks, readUserMarks } from './read-marks.ts'

const TOOLS = ['list', 'lists', 'pay', '__proto__'] as const
const names = fc.constantFrom<string>('list', 'pay', 'pay', 'list*', '*', 'p*y', '*t*', 'l.st', '__proto__')
const tools = fc.uniqueArray(names, { minLength: 1, maxLength: 2 })
const gate = fc.constantFrom('a', 'a', '__proto__')
const hint = fc.record({ destructiveHint: fc.boolean(), readOnlyHint: fc.boolean() }, { requiredKeys: [] })
const maybe = <T>(values: fc.Arbitrary<T>, times = 1, of = 8): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: of - times, arbitrary: fc.constant(undefined) }, { weight: times, arbitrary: values })
const mostly = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>): fc.Arbitrary<T> => fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: odd })

const id = fc.constantFrom<JsonObject[string]>('x', 'x', 'y', 7)
const ids = fc.array(mostly(id, fc.constant(null)), { maxLength: 2 })
const fact = fc.record({ s: fc.constantFrom('open', 'open', 'paid') }, { requiredKeys: ['s'] })
const broken = fc.constant(throwing())
const questions = mostly(fc.constantFrom<Expression>(equals('args', 'id', 'x'), equals('args', 'n', 1)), fc.oneof(broken, fc.constant(constant('yes'))))
const keys = mostly(fc.constantFrom<Expression>(member('args', 'id'), member('args', 'ids')), broken)
const resultKeys = mostly(fc.constantFrom<Expression>(member('result', 'ids'), member('result', 'ids'), member('args', 'id')), broken)
const requires = mostly(fc.constantFrom<Expression>(equals('fact', 's', 'open'), equals('fact', 's', 'open'), equals('args', 'n', 1)), broken)
const kept = mostly(fc.constantFrom<Expression>(member('result', 'facts'), member('result', 'fact'), member('result', 'fact')), broken)

const selector = mostly<Pick<GateRule, 'tools' | 'annotations' | 'unannotated'>>(
  fc.record({ tools }),
  fc.record({ annotations: hint.filter((hints) => Object.keys(hints).length > 0), unannotated: fc.boolean(), tools: maybe(tools, 4) }) as fc.Arbitrary<object> as fc.Arbitrary<GateRule>,
)
const rule: fc.Arbitrary<GateRule> = fc.tuple(selector, fc.record({
  gate: fc.oneof({ weight: 8, arbitrary: gate }, { weight: 1, arbitrary: fc.constant('confirm') }),
  message: fc.constant('m'),
  condition: maybe(fc.constantFrom('c', '__proto__')),
  key: maybe(keys, 3),
  require: maybe(requires, 2),
  when: maybe(questions),
  otherwise: maybe(fc.constantFrom('refuse' as const, 'hold' as const)),
})).map(([about, { key, require, otherwise, ...rest }]) => ({ ...about, ...rest, ...(rest.gate !== 'confirm' && { key, require, otherwise }) }) as GateRule)

const mark = fc.oneof(
  { weight: 6, arbitrary: fc.record({
    gate, tools, keys: maybe(resultKeys, 5), keep: maybe(kept, 3), failedWhen: maybe(mostly(fc.constant(equals('result', 'bad', true)), broken)),
    expiresMs: maybe(fc.integer({ min: 1, max: 9 }), 2), uses: maybe(fc.integer({ min: 1, max: 2 }), 3),
  }) },
  { weight: 1, arbitrary: fc.record({ gate, tools, clear: fc.constant(true), keys: maybe(keys, 4) }) },
  { weight: 1, arbitrary: fc.record({ gate: fc.constantFrom('a', 'c'), from: fc.constant('user' as const), keys: maybe(fc.constant(words), 4), uses: maybe(fc.constant(1)) }) },
) as fc.Arbitrary<MarkRule>

const window = maybe(fc.integer({ min: 1, max: 9 }), 4)
const limit = fc.oneof(
  fc.record({ tools: maybe(tools, 6), calls: fc.integer({ min: 1, max: 4 }), perMs: window }),
  fc.record({ tools: maybe(tools, 6), sum: fc.constant(member('args', 'n')), max: fc.constantFrom(0, 2.5, 4), perMs: window }),
  fc.record({ tools: maybe(tools, 6), repeats: fc.integer({ min: 1, max: 3 }) }),
) as fc.Arbitrary<LimitRule>

/** Rules that are accepted: the gate of a condition is steady. */
const files: fc.Arbitrary<GateRules> = fc.record({
  rules: fc.array(rule, { minLength: 1, maxLength: 4 }),
  marks: fc.array(mark, { minLength: 2, maxLength: 5 }),
  limits: maybe(fc.array(limit, { minLength: 1, maxLength: 3 }), 3),
  allow: maybe(fc.uniqueArray(names, { maxLength: 3 })),
  deny: maybe(fc.uniqueArray(names.filter((name) => name !== '*'), { maxLength: 1 })),
  default: maybe(fc.constantFrom('allow', 'confirm', 'refuse')),
  unlisted: maybe(fc.constantFrom('allow', 'refuse'), 4),
}).map((file) => {
  const conditions = new Set(file.rules.map(({ condition }) => condition))
  const steady = file.marks.map((each) => (conditions.has(each.gate) ? { ...each, expiresMs: undefined, uses: undefined } : each))
  return { ...file, marks: steady.filter((each) => each.clear !== true || !conditions.has(each.gate)) } as GateRules
})

const args = fc.record({ id: mostly(id, fc.constant(null)), ids, n: mostly(fc.constantFrom<JsonObject[string]>(0, 1, 1, 2, 0.5), fc.constantFrom<JsonObject[string]>(-1, 'x')) },
  { requiredKeys: ['n', 'id'] }) as fc.Arbitrary<JsonObject>
const results = fc.oneof(
  { weight: 4, arbitrary: fc.array(fc.tuple(id, fact), { minLength: 1, maxLength: 2 })
    .map((pairs) => ({ bad: false, ids: pairs.map(([each]) => each), facts: pairs.map(([, each]) => each), fact: pairs[0]?.[1] ?? null })) },
  { weight: 1, arbitrary: fc.record({ ids, bad: fc.constantFrom(false, true), facts: fc.array(fact, { maxLength: 2 }), fact }, { requiredKeys: [] }) },
) as fc.Arbitrary<JsonObject>
const calls = fc.record({ tool: fc.constantFrom(...TOOLS), args, annotations: hint, isListed: mostly(fc.constant(true), fc.constant(false)), fault: mostly(fc.constant(undefined), fc.constant('n is no integer')) })
  .map(({ fault, ...call }) => (fault === undefined ? call : { ...call, fault })) as fc.Arbitrary<NaiveCall>
const steps = fc.array(fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('call' as const), call: calls, result: results }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('say' as const), text: fc.constantFrom('x', 'x y', '') }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 4 }) }) },
), { minLength: 6, maxLength: 24 })

/** One session of the compiled rules over a ledger in an array. */
function createSession(gates: CompiledGates): {
  judge(call: NaiveCall, at: number): { judged: GateJudgement; verdict: 'refuse' | 'hold' | 'run'; call(): 'refuse' | 'run' }
  succeed(call: NaiveCall, result: JsonObject, at: number): boolean
  say(text: string, at: number): void
  readonly marks: readonly Mark[]
} {
  let marks: readonly Mark[] = []
  let charges: readonly ChargeRow[] = []
  let streak: Streak | undefined
  const isSame = (a: { gate: string; key?: string }, b: { gate: string; key?: string }): boolean => a.gate === b.gate && a.key === b.key
  const add = (made: readonly Mark[], at: number): void => {
    for (const each of made) {
      const before = viewOf(marks, at).marksOf(each.gate).find((known) => isSame(known, each))
      if (before === undefined || before.fact !== each.fact) streak = undefined
      marks = [...marks.filter((known) => !isSame(known, each)), each]
    }
  }
  return {
    get marks() {
      return marks
    },
    judge(call, at) {
      const prepared = prepareCall(gates, { ...call, argsFault: () => call.fault })
      const asked = marks.filter((known) => prepared.queries.some(({ gate: name, keys: only }) => name === known.gate && (only === undefined || (known.key !== undefined && only.includes(known.key)))))
      const judged = judgeGates(gates, prepared, viewOf(asked, at))
      const charge = chargeCall(gates, prepared, call.args, canonicalJson([call.tool, call.args]))
      const isRefused = judged.blocked !== undefined || judged.unmet.length > 0 || charge.faults.length > 0
      const verdict = isRefused ? 'refuse' : judged.holds.length + judged.confirms.length > 0 ? 'hold' : 'run'
      return {
        judged,
        verdict,
        call() {
          const claim = { at, needs: judged.needs, clears: charge.clears, charges: charge.charges, ...(charge.repeat && { repeat: charge.repeat }) }
          const plan = settleClaim({ marks, charges, ...(streak && { streak }) }, claim)
          if (plan.kind === 'short') {
            expect(plan.of).not.toBe('needs')
            return 'refuse'
          }
          const { put, remove, charge: rows, forget, streak: next } = plan.writes
          marks = marks.filter((known) => !remove.some((each) => isSame(each, known))).map((known) => put.find((each) => isSame(each, known)) ?? known)
          charges = [...charges.filter((row) => !forget.some((each) => each.limit === row.limit && row.at <= each.until)), ...rows]
          streak = next ?? streak
          return 'run'
        },
      }
    },
    succeed(call, result, at) {
      const read = readMarks(gates, call, { structured: result }, at)
      add(read.marks, at)
      return !read.failed
    },
    say: (text, at) => add(readUserMarks(gates, text, at).marks, at),
  }
}

test('the compiled judge agrees with a plain reading of the contract, over whole sessions', () => {
  fc.assert(
    fc.property(files, steps, (file, list) => {
      const gates = compileGates(file)
      const session = createSession(gates)
      const naive = new NaiveGates(file)
      let at = 100
      for (const step of list) {
        if (step.kind === 'wait') at += step.ms
        else if (step.kind === 'say') {
          session.say(step.text, at)
          naive.say(step.text, at)
        } else {
          const { judged, verdict, call } = session.judge(step.call, at)
          const places = (rules: readonly GateRule[]): number[] => rules.map((each) => gates.source.rules.indexOf(each))
          const reached = verdict === 'run' ? call() : verdict
          const expected = naive.call(step.call, at)
          expect({ verdict: reached, unmet: places(judged.unmet.map((each) => each.rule)), holds: places(judged.holds.map((each) => each.rule)), confirms: places(judged.confirms) })
            .toEqual(expected)
          if (reached === 'run') expect(session.succeed(step.call, step.result, at)).toBe(naive.succeed(step.call, step.result, at))
        }
      }
    }),
    { numRuns: 1000 },
  )
})

test('adding a rule never lets a call run that was refused or held before', () => {
  const order = ['run', 'hold', 'refuse']
  const alive = fc.array(fc.record({ gate, at: fc.constant(0), key: fc.constantFrom('"x"', '"y"', '7'), fact: fc.constantFrom('{"s":"open"}', '{"s":"paid"}') }))
  fc.assert(
    fc.property(files, fc.array(rule, { minLength: 1, maxLength: 3 }), fc.nat(), alive, calls, (file, more, place, marks, call) => {
      // A tool that no rule is about falls to `default`, and a rule about it takes it away from there: that is what `default` says.
      const steady = { ...file, marks: [], default: 'allow' as const }
      const at = place % (file.rules.length + 1)
      const rankOf = (rules: readonly GateRule[]): number => {
        const gates = compileGates({ ...steady, rules })
        const judged = judgeGates(gates, prepareCall(gates, { ...call, argsFault: () => call.fault }), viewOf(marks))
        const verdict = judged.blocked !== undefined || judged.unmet.length > 0 ? 'refuse' : judged.holds.length + judged.confirms.length > 0 ? 'hold' : 'run'
        return order.indexOf(verdict)
      }
      expect(rankOf([...file.rules.slice(0, at), ...more, ...file.rules.slice(at)])).toBeGreaterThanOrEqual(rankOf(file.rules))
    }),
    { numRuns: 1000 },
  )
})
