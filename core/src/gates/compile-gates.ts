import type { JsonObject } from '../model/json-value.ts'
import type { GateRule, GateRules, MarkRule, ToolAnnotations } from './gate-rule.ts'
import { readGates } from './read-gates.ts'
import { rulesMaterial } from './rules-material.ts'
import { createTermFinder } from './tool-terms.ts'
import type { CompiledRule, TermFinder } from './tool-terms.ts'

/** Rules checked once and indexed by tool name, so that a decision costs what its own tool's rules cost. */
export type CompiledGates = {
  /** Checked and frozen. */
  readonly source: GateRules
  /** What makes these rules other than others: expressions by their source, no lines. */
  readonly version: JsonObject
  /** The rules about a tool, in file order; none for a tool that no rule is about. */
  rulesOf(tool: string, annotations?: ToolAnnotations): readonly CompiledRule[]
  readonly termsOf: TermFinder
  /** True where the tool's success may mark the gate. */
  mayMark(gate: string, tool: string): boolean
  /** The gates that a tool's success may mark. */
  gatesMarkedBy(tool: string): readonly string[]
  /** The tools whose success marks a gate, names and patterns as they stand in the rules. */
  markersOf(gate: string): readonly string[]
  /** True where what the user writes may mark the gate. */
  isMarkedByUser(gate: string): boolean
  isExternal(gate: string): boolean
  /** True where a rule is enforced only once this gate is marked: losing such a mark would open what it closes. */
  isCondition(gate: string): boolean
  /** True where what was judged of it may be otherwise when the call is claimed: its marks expire, are used up or cleared, keep facts. */
  isVolatile(gate: string): boolean
  /** True where some gate is marked by what the user writes. */
  readonly readsUserText: boolean
  /** True where some limit is on identical calls in a row. */
  readonly countsRepeats: boolean
}

const NONE: readonly never[] = Object.freeze([])

/** Compiles rules (contract 9); throws `invalid_rules`, or `reserved_gate` where `confirm` is marked, external or a condition. */
export function compileGates(gates: GateRules | readonly GateRule[]): CompiledGates {
  const source = readGates(gates)
  const marks = source.marks ?? NONE
  const termsOf = createTermFinder(source)
  const externals = new Set(source.external)
  const conditions = new Set(source.rules.map((rule) => rule.condition))
  const userGates = new Set(marks.filter(({ from }) => from === 'user').map(({ gate }) => gate))
  const volatile = new Set([
    ...marks.filter(isUnsteady).map(({ gate }) => gate),
    ...source.rules.filter(({ require }) => require !== undefined).map(({ gate }) => gate),
  ])
  const markers = new Map<string, Set<string>>()
  for (const { gate, tools = [], clear } of marks) {
    if (clear === true) continue
    const known = markers.get(gate) ?? new Set()
    for (const tool of tools) known.add(tool)
    markers.set(gate, known)
  }
  let version: JsonObject | undefined
  return {
    source,
    get version() {
      version ??= rulesMaterial(source)
      return version
    },
    rulesOf: (tool, annotations) => termsOf(tool, annotations).rules,
    termsOf,
    mayMark: (gate, tool) => termsOf(tool).marks.some((mark) => mark.gate === gate),
    gatesMarkedBy: (tool) => [...new Set(termsOf(tool).marks.map(({ gate }) => gate))],
    markersOf: (gate) => [...(markers.get(gate) ?? NONE)],
    isMarkedByUser: (gate) => userGates.has(gate),
    isExternal: (gate) => externals.has(gate),
    isCondition: (gate) => conditions.has(gate),
    isVolatile: (gate) => volatile.has(gate),
    readsUserText: userGates.size > 0,
    countsRepeats: (source.limits ?? NONE).some(({ repeats }) => repeats !== undefined),
  }
}

function isUnsteady({ expiresMs, uses, clear, keep }: MarkRule): boolean {
  return expiresMs !== undefined || uses !== undefined || clear === true || keep !== undefined
}
