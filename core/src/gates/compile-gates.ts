import { CallgateError } from '../model/callgate-error.ts'
import { CONFIRM_GATE } from './gate-rule.ts'
import type { GateRule, GateRules, MarkRule } from './gate-rule.ts'

/** Rules checked once and indexed by tool name, so that a decision costs what its own tool's rules cost. */
export type CompiledGates = {
  readonly source: GateRules
  /** The rules of a tool, in file order; none for a tool that no rule names. */
  rulesFor(tool: string): readonly GateRule[]
  /** The gates that a tool's success marks. */
  marksOf(tool: string): readonly string[]
  /** The tools whose success marks a gate, in file order. */
  markersOf(gate: string): readonly string[]
  isExternal(gate: string): boolean
  /** True where a rule is enforced only once this gate is marked: losing such a mark would open what it closes. */
  isCondition(gate: string): boolean
}

const NONE: readonly never[] = Object.freeze([])

/** Compiles rules (contract 9); throws `invalid_rules`, or `reserved_gate` where `confirm` is marked or external. */
export function compileGates(gates: GateRules | readonly GateRule[]): CompiledGates {
  const source: Partial<GateRules> = Array.isArray(gates) ? { rules: gates as readonly GateRule[] } : ((gates as GateRules | undefined) ?? {})
  const rules = listOf(source.rules, 'rules').map((rule, index) => checkedRule(rule as Partial<GateRule> | null, `rule ${index + 1}`))
  const marks = listOf(source.marks ?? NONE, 'marks').map((mark, index) => checkedMark(mark as Partial<MarkRule> | null, `mark ${index + 1}`))
  const external = listOf(source.external ?? NONE, 'external').map((gate) => markable(gate, 'external'))
  const externals = new Set(external)
  const conditions = new Set(rules.map((rule) => rule.condition))
  const rulesByTool = indexBy(rules, (rule) => rule.tools, (rule) => rule)
  const marksByTool = indexBy(marks, (mark) => mark.tools, (mark) => mark.gate)
  const toolsByGate = new Map<string, string[]>()
  for (const { gate, tools } of marks) toolsByGate.set(gate, [...new Set([...(toolsByGate.get(gate) ?? []), ...tools])])
  return {
    source: Object.freeze({ rules: Object.freeze(rules), marks: Object.freeze(marks), external: Object.freeze(external) }),
    rulesFor: (tool) => rulesByTool.get(tool) ?? NONE,
    marksOf: (tool) => marksByTool.get(tool) ?? NONE,
    markersOf: (gate) => toolsByGate.get(gate) ?? NONE,
    isExternal: (gate) => externals.has(gate),
    isCondition: (gate) => conditions.has(gate),
  }
}

/** A gate's name that may be marked: text that is not empty and not `confirm`. Throws `reserved_gate` or `invalid_rules`. */
export function markable(gate: unknown, where: string): string {
  const name = textOf(gate, `${where}: gate`)
  if (name !== CONFIRM_GATE) return name
  throw new CallgateError('reserved_gate', `${where}: the gate "confirm" is a person's answer; it cannot be marked. Name another gate.`)
}

function checkedRule(rule: Partial<GateRule> | null, where: string): GateRule {
  const checked = {
    gate: textOf(rule?.gate, `${where}: gate`),
    tools: toolsOf(rule?.tools, where),
    message: textOf(rule?.message, `${where}: message`),
    ...(rule?.condition !== undefined && { condition: textOf(rule.condition, `${where}: condition`) }),
    ...(rule?.line !== undefined && { line: rule.line }),
  }
  if (checked.condition === CONFIRM_GATE) {
    throw new CallgateError('reserved_gate', `${where}: the gate "confirm" is never marked, so it cannot be a condition. Name another gate.`)
  }
  return Object.freeze(checked)
}

function checkedMark(mark: Partial<MarkRule> | null, where: string): MarkRule {
  const gate = markable(mark?.gate, where)
  const tools = toolsOf(mark?.tools, where)
  return Object.freeze({ gate, tools, ...(mark?.line !== undefined && { line: mark.line }) })
}

function toolsOf(tools: unknown, where: string): readonly string[] {
  const names = listOf(tools, `${where}: tools`).map((tool) => textOf(tool, `${where}: tools`))
  if (names.length === 0) throw invalid(`${where}: tools is empty; name at least one tool, or remove the rule.`)
  return Object.freeze(names)
}

function textOf(value: unknown, where: string): string {
  if (typeof value === 'string' && value !== '' && value.isWellFormed()) return value
  const found = typeof value !== 'string' ? typeof value : value === '' ? 'an empty text' : 'text with half a character (a lone surrogate)'
  throw invalid(`${where} must be text that is not empty, not ${found}.`)
}

function listOf(value: unknown, where: string): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw invalid(`${where} must be a list.`)
}

function indexBy<T, V>(items: readonly T[], tools: (item: T) => readonly string[], value: (item: T) => V): Map<string, V[]> {
  const index = new Map<string, V[]>()
  for (const item of items) {
    for (const tool of new Set(tools(item))) {
      const found = index.get(tool)
      if (found === undefined) index.set(tool, [value(item)])
      else found.push(value(item))
    }
  }
  return index
}

function invalid(message: string): CallgateError {
  return new CallgateError('invalid_rules', `Gates: ${message}`)
}
