import { expect, test } from 'vitest'
import { compileGates } from './compile-gates.ts'
import type { GateRules } from './gate-rule.ts'
import { constant } from './gates.fixture.ts'

const rule = { gate: 'g', tools: ['t'], message: 'm' }

test('what the caller changes afterwards changes no rule', () => {
  const tools = ['t']
  const gates = compileGates([{ ...rule, tools }])
  tools[0] = 'u'
  expect(gates.rulesOf('t')).toHaveLength(1)
  expect(gates.source.rules[0]?.tools).toEqual(['t'])
})

test.each([
  ['nothing', undefined, /rules must be a list/],
  ['null', null, /rules must be a list/],
  ['a text', 'rules', /rules must be a list/],
  ['rules that are no list', { rules: {} }, /rules must be a list/],
  ['a rule that is null', { rules: [null] }, /rule 1: gate must be text/],
  ['no gate', { rules: [{ ...rule, gate: undefined }] }, /rule 1: gate must be text that is not empty, not undefined/],
  ['an empty gate', { rules: [rule, { ...rule, gate: '' }] }, /rule 2: gate must be text that is not empty, not an empty text/],
  ['tools that are no list', { rules: [{ ...rule, tools: 't' }] }, /rule 1: tools must be a list/],
  ['no tools', { rules: [{ ...rule, tools: [] }] }, /rule 1: tools is empty/],
  ['a tool that is no text', { rules: [{ ...rule, tools: ['t', 7] }] }, /rule 1: tools must be text.*number/],
  ['no message', { rules: [{ ...rule, message: '' }] }, /rule 1: message must be text/],
  ['half a character', { rules: [{ ...rule, message: 'a\ud800' }] }, /rule 1: message must be text.*lone surrogate/],
  ['a condition that is no text', { rules: [{ ...rule, condition: 1 }] }, /rule 1: condition must be text/],
  ['a rule that is a list', { rules: [[]] }, /rule 1 must be an object/],
  ['a rule that is a text', { rules: ['g'] }, /rule 1 must be an object/],
  ['a word that nobody reads', { rules: [{ ...rule, requires: 1 }] }, /rule 1: "requires" is no word of it. Its words are gate, tools/],
  ['a word of the file that nobody reads', { rules: [], limts: [] }, /rules: "limts" is no word of it/],
  ['a key that is no expression', { rules: [{ ...rule, key: 'args.id' }] }, /rule 1: key must be a compiled expression/],
  ['a requirement that is null', { rules: [{ ...rule, require: null }] }, /rule 1: require must be a compiled expression/],
  ['a when without a source', { rules: [{ ...rule, when: { evaluate: () => true } }] }, /rule 1: when must be a compiled expression/],
  ['a when that cannot be evaluated', { rules: [{ ...rule, when: { source: 's' } }] }, /rule 1: when must be a compiled expression/],
  ['an otherwise of its own', { rules: [{ ...rule, otherwise: 'ask' }] }, /rule 1: otherwise must be "refuse" or "hold"/],
  ['approvers of nobody', { rules: [{ ...rule, gate: 'confirm', approvers: [] }] }, /rule 1: approvers is empty/],
  ['roles of nobody', { rules: [{ ...rule, gate: 'confirm', showTo: [''] }] }, /rule 1: showTo must be text/],
  ['a quorum of none', { rules: [{ ...rule, gate: 'confirm', quorum: 0 }] }, /rule 1: quorum must be a whole number of at least 1/],
  ['half a person', { rules: [{ ...rule, gate: 'confirm', quorum: 1.5 }] }, /rule 1: quorum must be a whole number/],
  ['a quorum that is a text', { rules: [{ ...rule, gate: 'confirm', quorum: '2' }] }, /rule 1: quorum must be a whole number/],
  ['notBy somebody else', { rules: [{ ...rule, gate: 'confirm', notBy: 'me' }] }, /rule 1: notBy must be "requester"/],
  ['a deadline at once', { rules: [{ ...rule, gate: 'confirm', expiresMs: 0 }] }, /rule 1: expiresMs must be a whole number/],
  ['a channel of its own', { rules: [{ ...rule, gate: 'confirm', channel: 'mail' }] }, /rule 1: channel must be "console" or "elicitation"/],
  ['a line that is none', { rules: [{ ...rule, line: 0 }] }, /rule 1: line must be a whole number/],
  ['a question where none is asked', { rules: [{ ...rule, quorum: 2 }] }, /rule 1: quorum is about a question/],
  ['a deadline where nothing waits', { rules: [{ ...rule, otherwise: 'refuse', expiresMs: 2 }] }, /rule 1: expiresMs is about a question/],
  ['approvers where nobody is asked', { rules: [{ ...rule, approvers: ['a'] }] }, /rule 1: approvers is about a question/],
  ['notBy where nobody is asked', { rules: [{ ...rule, notBy: 'requester' }] }, /rule 1: notBy is about a question/],
  ['a channel where nobody is asked', { rules: [{ ...rule, channel: 'console' }] }, /rule 1: channel is about a question/],
  ['showTo where nobody is asked', { rules: [{ ...rule, showTo: ['a'] }] }, /rule 1: showTo is about a question/],
  ['a key of a question', { rules: [{ ...rule, gate: 'confirm', key: constant(1) }] }, /rule 1: key is about marks/],
  ['a fact of a question', { rules: [{ ...rule, gate: 'confirm', require: constant(true) }] }, /rule 1: require is about marks/],
  ['a question that is otherwise', { rules: [{ ...rule, gate: 'confirm', otherwise: 'hold' }] }, /rule 1: otherwise is about marks/],
  ['unannotated without annotations', { rules: [{ ...rule, unannotated: true }] }, /rule 1: unannotated is about annotations/],
  ['annotations that leave it open', { rules: [{ ...rule, annotations: { readOnlyHint: true } }] }, /rule 1: unannotated must be true or false/],
  ['annotations of nothing', { rules: [{ ...rule, annotations: {}, unannotated: true }] }, /rule 1: annotations is empty/],
  ['annotations that are a text', { rules: [{ ...rule, annotations: 'destructive', unannotated: true }] }, /rule 1: annotations must be an object/],
  ['an annotation that nobody knows', { rules: [{ ...rule, annotations: { title: true }, unannotated: true }] }, /rule 1: annotations: "title" is no word/],
  ['an annotation that is no yes', { rules: [{ ...rule, annotations: { readOnlyHint: 1 }, unannotated: true }] }, /rule 1: annotations: readOnlyHint must be true or false/],
  ['tools that are null beside annotations', { rules: [{ ...rule, tools: null, annotations: { readOnlyHint: true }, unannotated: true }] }, /rule 1: tools must be a list/],
  ['marks that are no list', { rules: [], marks: {} }, /marks must be a list/],
  ['a mark that is null', { rules: [], marks: [null] }, /mark 1: gate must be text/],
  ['a mark without tools', { rules: [], marks: [{ gate: 'a', tools: [] }] }, /mark 1: tools is empty/],
  ['a mark with a word that nobody reads', { rules: [], marks: [{ gate: 'a', tools: ['t'], key: 1 }] }, /mark 1: "key" is no word/],
  ['a mark from nowhere', { rules: [], marks: [{ gate: 'a', tools: ['t'], from: 'tools' }] }, /mark 1: from must be "tool" or "user"/],
  ['a tool of the user', { rules: [], marks: [{ gate: 'a', tools: ['t'], from: 'user' }] }, /mark 1: tools is about a tool/],
  ['a fact of the user', { rules: [], marks: [{ gate: 'a', from: 'user', keep: constant(1) }] }, /mark 1: keep is about a tool/],
  ['a failure of the user', { rules: [], marks: [{ gate: 'a', from: 'user', failedWhen: constant(true) }] }, /mark 1: failedWhen is about a tool/],
  ['a text of the user parsed', { rules: [], marks: [{ gate: 'a', from: 'user', parse: 'json' }] }, /mark 1: parse is about a tool/],
  ['a user who clears', { rules: [], marks: [{ gate: 'a', from: 'user', clear: true }] }, /mark 1: clear is about a tool/],
  ['a clear that keeps', { rules: [], marks: [{ gate: 'a', tools: ['t'], clear: true, keep: constant(1) }] }, /mark 1: keep is about a mark/],
  ['a clear that fails', { rules: [], marks: [{ gate: 'a', tools: ['t'], clear: true, failedWhen: constant(true) }] }, /mark 1: failedWhen is about a mark/],
  ['a clear that parses', { rules: [], marks: [{ gate: 'a', tools: ['t'], clear: true, parse: 'json' }] }, /mark 1: parse is about a mark/],
  ['a clear that expires', { rules: [], marks: [{ gate: 'a', tools: ['t'], clear: true, expiresMs: 1 }] }, /mark 1: expiresMs is about a mark/],
  ['a clear that is used up', { rules: [], marks: [{ gate: 'a', tools: ['t'], clear: true, uses: 1 }] }, /mark 1: uses is about a mark/],
  ['a clear that is no yes', { rules: [], marks: [{ gate: 'a', tools: ['t'], clear: 'yes' }] }, /mark 1: clear must be true or false/],
  ['keys that are no expression', { rules: [], marks: [{ gate: 'a', tools: ['t'], keys: ['k'] }] }, /mark 1: keys must be a compiled expression/],
  ['facts that are no expression', { rules: [], marks: [{ gate: 'a', tools: ['t'], keep: 1 }] }, /mark 1: keep must be a compiled expression/],
  ['a failure that is no expression', { rules: [], marks: [{ gate: 'a', tools: ['t'], failedWhen: true }] }, /mark 1: failedWhen must be a compiled expression/],
  ['a text parsed as something else', { rules: [], marks: [{ gate: 'a', tools: ['t'], parse: 'yaml' }] }, /mark 1: parse must be "json"/],
  ['a mark that is dead at once', { rules: [], marks: [{ gate: 'a', tools: ['t'], expiresMs: -1 }] }, /mark 1: expiresMs must be a whole number/],
  ['a mark of no use', { rules: [], marks: [{ gate: 'a', tools: ['t'], uses: 0 }] }, /mark 1: uses must be a whole number/],
  ['a condition that expires', { rules: [{ ...rule, condition: 'a' }], marks: [{ gate: 'b', tools: ['t'], uses: 1 }, { gate: 'a', tools: ['t'], expiresMs: 1 }] }, /mark 2: the gate "a" is a condition/],
  ['a condition that is used up', { rules: [{ ...rule, condition: 'a' }], marks: [{ gate: 'a', tools: ['t'], uses: 1 }] }, /mark 1: the gate "a" is a condition/],
  ['a condition that is cleared', { rules: [{ ...rule, condition: 'a' }], marks: [{ gate: 'a', tools: ['t'], clear: true }] }, /mark 1: the gate "a" is a condition/],
  ['limits that are no list', { rules: [], limits: {} }, /limits must be a list/],
  ['a limit on nothing', { rules: [], limits: [{ tools: ['t'] }] }, /limit 1 must have exactly one of calls, sum and repeats/],
  ['a limit on two things', { rules: [], limits: [{ calls: 1, repeats: 1 }] }, /limit 1 must have exactly one/],
  ['a limit of nothing at all', { rules: [], limits: [null] }, /limit 1 must have exactly one/],
  ['a limit with a word that nobody reads', { rules: [], limits: [{ calls: 1, per: '1h' }] }, /limit 1: "per" is no word/],
  ['no calls', { rules: [], limits: [{ calls: 0 }] }, /limit 1: calls must be a whole number/],
  ['no repeats', { rules: [], limits: [{ repeats: 0 }] }, /limit 1: repeats must be a whole number/],
  ['a sum of no expression', { rules: [], limits: [{ sum: 'args.n', max: 1 }] }, /limit 1: sum must be a compiled expression/],
  ['a sum without a bound', { rules: [], limits: [{ sum: constant(1) }] }, /limit 1: max must be a number that is not negative/],
  ['a sum with a negative bound', { rules: [], limits: [{ sum: constant(1), max: -1 }] }, /limit 1: max must be a number/],
  ['a sum without end', { rules: [], limits: [{ sum: constant(1), max: Infinity }] }, /limit 1: max must be a number/],
  ['a bound of no sum', { rules: [], limits: [{ calls: 1, max: 1 }] }, /limit 1: max is the bound of a sum/],
  ['a window that is none', { rules: [], limits: [{ calls: 1, perMs: 0 }] }, /limit 1: perMs must be a whole number/],
  ['repeats in a window', { rules: [], limits: [{ repeats: 1, perMs: 1 }] }, /limit 1: perMs is no part/],
  ['a limit on no tools', { rules: [], limits: [{ calls: 1, tools: [] }] }, /limit 1: tools is empty/],
  ['allow that is no list', { rules: [], allow: 't' }, /allow must be a list/],
  ['deny that is no text', { rules: [], deny: [7] }, /deny must be text/],
  ['a default of its own', { rules: [], default: 'deny' }, /default must be "allow" or "confirm" or "refuse"/],
  ['an unlisted of its own', { rules: [], unlisted: 'confirm' }, /unlisted must be "refuse" or "allow"/],
  ['external that is no list', { rules: [], external: 'x' }, /external must be a list/],
  ['an external gate that is no text', { rules: [], external: [7] }, /external: gate must be text/],
])('%s is refused by name', (_what, gates, message) => {
  const compile = (): unknown => compileGates(gates as unknown as GateRules)
  expect(compile).toThrow(message)
  expect(compile).toThrow(expect.objectContaining({ code: 'invalid_rules' }))
})

test('what is optional may be undefined, and every word is kept', () => {
  const words = { approvers: ['a'], quorum: 2, notBy: 'requester' as const, expiresMs: 1, channel: 'elicitation' as const, showTo: ['b'], line: 1 }
  const file: GateRules = {
    rules: [{ ...rule, gate: 'confirm', when: constant(true), ...words }, { ...rule, otherwise: 'hold', key: constant(1), require: constant(true), ...words }],
    marks: [{ gate: 'h', tools: ['t'], from: 'tool', keys: constant(1), keep: constant(1), failedWhen: constant(true), parse: 'json', expiresMs: 1, uses: 1, line: 1 }],
    limits: [{ tools: ['t'], calls: 1, perMs: 1, line: 1 }, { sum: constant(1), max: 0 }, { repeats: 1 }],
    external: ['x'], allow: [], deny: [], default: 'allow', unlisted: 'refuse',
  }
  const { source } = compileGates(file)
  expect(source).toEqual(file)
  expect([source, source.rules, source.marks?.[0], source.limits, source.limits?.[0], source.allow, source.rules[0]?.approvers].every(Object.isFrozen)).toBe(true)
  expect(compileGates({ rules: [{ ...rule, key: undefined }], marks: undefined, allow: undefined } as unknown as GateRules).source).toEqual({ rules: [rule], marks: [], external: [] })
})

test.each([
  ['marked by a tool', { rules: [], marks: [{ gate: 'confirm', tools: ['t'] }] }, /^mark 1: the gate "confirm"/],
  ['external', { rules: [], external: ['confirm'] }, /^external: the gate "confirm"/],
  ['a condition', { rules: [{ ...rule, condition: 'confirm' }] }, /^rule 1: the gate "confirm" is never marked/],
])('confirm cannot be %s', (_what, gates, message) => {
  expect(() => compileGates(gates)).toThrow(message)
  expect(() => compileGates(gates)).toThrow(expect.objectContaining({ code: 'reserved_gate' }))
})
