import { compileGates, CONFIRM_GATE, createNameMatcher, isPattern } from '@callgate/core'
import type { CompiledGates, GateRule, GateRules } from '@callgate/core'
import type { Finding, KnownTool } from './finding.ts'
import { namedTools } from './named-tools.ts'

/**
 * Finds gates that can never open since each tool that marks them needs one of them first. A tool is held back by the rules
 * that refuse every call of it; those with a condition, `when` or `otherwise: hold` leave a way. Linear in the rules.
 */
export function checkCycles(rules: GateRules, tools: readonly KnownTool[] = []): readonly Finding[] {
  const gates = compileGates(rules)
  const universe = [...new Set([...namedTools(rules).map(({ name }) => name), ...tools.map(({ name }) => name)])]
  const needs = new Map(universe.map((tool) => [tool, gatesNeeded(gates, tool)]))
  const markers = markersIn(gates, universe)
  const open = openGates(needs, markers, gates)
  const closed = new Set([...markers.keys()].filter((gate) => !open.has(gate)))
  const told = new Set<string>()
  return rules.rules.flatMap(({ gate }, at): readonly Finding[] => {
    if (!closed.has(gate) || told.has(gate)) return []
    const cycle = cycleFrom(gate, needs, markers, closed)
    for (const each of cycle) told.add(each.gate)
    const steps = cycle.map((step) => `\`${step.gate}\` is only marked by \`${step.tool}\`, which needs \`${step.needs}\``).join('; ')
    const message = `\`${gate}\` can never be marked: ${steps}`
    return [{ code: 'gate_cycle', severity: 'error', pointer: `/gates/rules/${at}/gate`, message, hint: 'let another tool mark one of them, or take a tool out of a rule' }]
  })
}

type Step = { readonly gate: string; readonly tool: string; readonly needs: string }

function gatesNeeded(gates: CompiledGates, tool: string): readonly string[] {
  return [...new Set(gates.rulesOf(tool).map(({ rule }) => rule).filter(isBarrier).map(({ gate }) => gate))]
}

function isBarrier({ gate, condition, when, otherwise, annotations }: GateRule): boolean {
  return gate !== CONFIRM_GATE && condition === undefined && when === undefined && otherwise !== 'hold' && annotations === undefined
}

/** By gate, the tools that mark it; a pattern counts as itself and as each tool that it is about. */
function markersIn(gates: CompiledGates, universe: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const markers = new Map<string, Set<string>>()
  for (const { gate, tools = [], clear } of gates.source.marks ?? []) {
    if (clear === true || gates.isExternal(gate) || gates.isMarkedByUser(gate)) continue
    const known = markers.get(gate) ?? new Set()
    markers.set(gate, known)
    for (const name of tools) for (const tool of isPattern(name) ? [name, ...universe.filter(createNameMatcher(name))] : [name]) known.add(tool)
  }
  return new Map([...markers].map(([gate, tools]) => [gate, [...tools]]))
}

/** The gates that some sequence of calls opens, to a fixed point: a tool runs once all of its gates are open. */
function openGates(needs: ReadonlyMap<string, readonly string[]>, markers: ReadonlyMap<string, readonly string[]>, gates: CompiledGates): ReadonlySet<string> {
  const marks = new Map<string, string[]>()
  for (const [gate, tools] of markers) for (const tool of tools) marks.set(tool, [...(marks.get(tool) ?? []), gate])
  // A gate that nothing marks is another finding; here it is taken as open.
  const isClosed = (gate: string): boolean => markers.has(gate) && !gates.isExternal(gate)
  const missing = new Map([...needs].map(([tool, all]) => [tool, all.filter(isClosed).length]))
  const waiting = new Map<string, string[]>()
  for (const [tool, all] of needs) for (const gate of all) waiting.set(gate, [...(waiting.get(gate) ?? []), tool])
  const open = new Set<string>()
  const runnable = [...missing].filter(([, count]) => count === 0).map(([tool]) => tool)
  for (let tool = runnable.pop(); tool !== undefined; tool = runnable.pop()) {
    for (const gate of marks.get(tool) ?? []) {
      if (open.has(gate)) continue
      open.add(gate)
      for (const held of waiting.get(gate) ?? []) {
        const left = (missing.get(held) ?? 0) - 1
        missing.set(held, left)
        if (left === 0) runnable.push(held)
      }
    }
  }
  return open
}

/** One way round, from the gate back to a gate that was passed before. */
function cycleFrom(start: string, needs: ReadonlyMap<string, readonly string[]>, markers: ReadonlyMap<string, readonly string[]>, closed: ReadonlySet<string>): readonly Step[] {
  const steps: Step[] = []
  const seen = new Map<string, number>()
  let gate: string | undefined = start
  while (gate !== undefined && !seen.has(gate)) {
    seen.set(gate, steps.length)
    const tool: string = markers.get(gate)?.[0] ?? ''
    const next: string | undefined = needs.get(tool)?.find((each) => closed.has(each))
    if (next === undefined) break
    steps.push({ gate, tool, needs: next })
    gate = next
  }
  return steps
}
