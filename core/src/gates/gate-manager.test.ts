import { expect, test } from 'vitest'
import { GateManager } from './gate-manager.ts'
import { throwing } from './gates.fixture.ts'

const RULES = [
  { gate: 'confirm', tools: ['pay'], message: 'Pay?' },
  { gate: 'listed', tools: ['set', 'pay'], message: 'List first.' },
  { gate: 'checked', tools: ['set'], message: 'Check first.', condition: 'external' },
]

test('a tool that no rule names may run', () => {
  expect(new GateManager(RULES).check('list')).toBeNull()
  expect(new GateManager([]).check('set')).toBeNull()
})

test('the message of the first unmet rule in file order is what the model gets', () => {
  const gates = new GateManager(RULES)
  expect(gates.check('set')).toBe('List first.')
  gates.mark('external')
  expect(gates.check('set')).toBe('List first.')
  gates.mark('listed')
  expect(gates.check('set')).toBe('Check first.')
  gates.mark('checked')
  expect(gates.check('set')).toBeNull()
})

test('a rule with a condition is enforced only once the condition is marked', () => {
  const gates = new GateManager(RULES)
  gates.mark('listed')
  expect(gates.check('set')).toBeNull()
  gates.mark('external')
  expect(gates.check('set')).toBe('Check first.')
})

test('confirm comes last and stays: only a person answers it', () => {
  const gates = new GateManager(RULES)
  expect(gates.check('pay')).toBe('List first.')
  gates.mark('listed')
  expect(gates.check('pay')).toBe('Pay?')
  expect(() => gates.mark('confirm')).toThrow(/confirm/)
  expect(gates.isMarked('confirm')).toBe(false)
})

test('marks are known by name, in the order of marking, and the snapshot does not follow', () => {
  const gates = new GateManager(RULES)
  expect(gates.isMarked('listed')).toBe(false)
  gates.mark('listed')
  const before = gates.markedGates
  gates.mark('external')
  gates.mark('listed')
  expect(gates.isMarked('listed')).toBe(true)
  expect([...before]).toEqual(['listed'])
  expect([...gates.markedGates]).toEqual(['listed', 'external'])
})

test('values are tracked by key, undefined among them, with a fallback for what was not', () => {
  const gates = new GateManager([])
  expect(gates.getTracked('k')).toBeUndefined()
  expect(gates.getTracked('k', 'default')).toBe('default')
  gates.track('k', 'v')
  gates.track('none', undefined)
  expect(gates.getTracked('k', 'default')).toBe('v')
  expect(gates.getTracked('none', 'default')).toBeUndefined()
})

test('reset clears all marks and all tracked values', () => {
  const gates = new GateManager(RULES)
  gates.mark('listed')
  gates.track('k', 'v')
  gates.reset()
  expect(gates.markedGates.size).toBe(0)
  expect(gates.check('set')).toBe('List first.')
  expect(gates.getTracked('k', 'gone')).toBe('gone')
})

test('names of JavaScript itself are names like any other', () => {
  const gates = new GateManager([{ gate: '__proto__', tools: ['constructor', 'toString'], message: 'No.' }])
  expect(gates.check('constructor')).toBe('No.')
  expect(gates.check('hasOwnProperty')).toBeNull()
  expect(gates.getTracked('constructor', 'none')).toBe('none')
  gates.mark('__proto__')
  expect(gates.check('toString')).toBeNull()
})

test('a rule that refuses comes before one that holds, and that before a confirm, each in file order', () => {
  const hold = { gate: 'named', tools: ['pay'], message: 'Name it.', otherwise: 'hold' as const }
  const gates = new GateManager([{ ...hold, gate: 'confirm', message: 'Pay?', otherwise: undefined } as unknown as typeof hold, hold, { ...hold, gate: 'known', message: 'Know it.' }, ...RULES.slice(1)])
  expect(gates.check('pay')).toBe('List first.')
  gates.mark('listed')
  expect(gates.check('pay')).toBe('Name it.')
  gates.mark('named')
  expect(gates.check('pay')).toBe('Know it.')
  gates.mark('known')
  expect(gates.check('pay')).toBe('Pay?')
})

test('a rule counts for every call of its tools, whatever the arguments, and is met when its gate is marked', () => {
  const gates = new GateManager([{ ...RULES[1]!, when: throwing(), key: throwing(), require: throwing() }])
  expect(gates.check('set')).toBe('List first.')
  gates.mark('listed')
  expect(gates.check('set')).toBeNull()
})

test('a tool that the rules refuse as such is refused', () => {
  expect(new GateManager({ rules: [], deny: ['drop_*'] }).check('drop_all')).toBe('The rules forbid the tool "drop_all". Nothing was executed.')
  expect(new GateManager({ rules: [], allow: ['list_*'] }).check('set')).toBe('The rules forbid the tool "set". Nothing was executed.')
  expect(new GateManager({ rules: [], allow: ['list_*'] }).check('list_all')).toBeNull()
  expect(new GateManager({ rules: RULES, default: 'refuse' }).check('other')).toBe('No rule allows the tool "other". Nothing was executed.')
  expect(new GateManager({ rules: [], default: 'confirm' }).check('other')).toBe('Run other?')
  expect(new GateManager({ rules: RULES, default: 'refuse' }).check('set')).toBe('List first.')
})

test('what only a gatekeeper can judge does not keep a tool from running here', () => {
  const gates = new GateManager({ rules: [RULES[1]!], limits: [{ calls: 1 }] })
  gates.mark('listed')
  expect([gates.check('set'), gates.check('set'), gates.check('other')]).toEqual([null, null, null])
})

test('the rules can be read back, frozen', () => {
  const { rules } = new GateManager(RULES)
  expect(rules).toEqual({ rules: RULES, marks: [], external: [] })
  expect(Object.isFrozen(rules) && Object.isFrozen(rules.rules) && Object.isFrozen(rules.rules[0]?.tools)).toBe(true)
})
