import { compileGates, isPattern } from '@callgate/core'
import type { GateRules } from '@callgate/core'
import type { Finding, KnownTool } from './finding.ts'
import { gateMarkers } from './gate-markers.ts'
import { createNameFinder } from './name-finder.ts'
import { namedTools } from './named-tools.ts'
import { openGates } from './open-gates.ts'
import { showName } from './show-name.ts'
import { createObstacleReader } from './tool-obstacles.ts'
import type { ToolObstacles } from './tool-obstacles.ts'

const MAX_SHOWN = 10

/**
 * Finds gates that rules need or ask about and that can never be marked, since no tool that marks them can ever run: each needs
 * another of them first (`gate_cycle`), or is refused itself (`refused_markers`). The message goes the way once.
 */
export function checkCycles(rules: GateRules, tools?: readonly KnownTool[]): readonly Finding[] {
  const names = [...namedTools(rules), ...(tools ?? [])].map(({ name }) => name).filter((name) => !isPattern(name))
  const markers = gateMarkers(rules, createNameFinder(names), tools === undefined || rules.unlisted === 'allow')
  if (markers.size === 0) return []
  // Who marks what is known by now: without marks a pattern's terms cost no look at every other.
  const obstaclesOf = createObstacleReader(compileGates({ ...rules, marks: [], limits: [] }), tools ?? [])
  const obstacles = new Map([...new Set([...markers.values()].flat())].map((tool) => [tool, obstaclesOf(tool)]))
  const open = openGates(obstacles, markers)
  const told = new Set<string>()
  return rules.rules.flatMap(({ gate, condition }, at) =>
    Object.entries({ gate, ...(condition !== undefined && { condition }) }).flatMap(([word, name]): readonly Finding[] => {
      if (!markers.has(name) || open.has(name) || told.has(name)) return []
      const way = wayFrom(name, obstacles, markers, open)
      for (const step of way) told.add(step.gate)
      return [findingOf(name, way, `/gates/rules/${at}/${word}`)]
    }))
}

/** A gate, one tool that marks it and how many others there are, and what that tool waits for or is refused by. */
type Step = {
  readonly gate: string
  readonly tool: string
  readonly others: number
  readonly needs?: string
  readonly refusedBy?: ToolObstacles['refusedBy']
}

/** From gate to gate, until one comes again or a tool is refused. */
function wayFrom(
  start: string,
  obstacles: ReadonlyMap<string, ToolObstacles>,
  markers: ReadonlyMap<string, readonly string[]>,
  open: ReadonlySet<string>,
): readonly Step[] {
  const steps = new Map<string, Step>()
  let gate: string | undefined = start
  while (gate !== undefined && !steps.has(gate)) {
    const known: readonly string[] = markers.get(gate) ?? []
    const tool: string = known[0] ?? ''
    const { refusedBy, needs = [] }: Partial<ToolObstacles> = obstacles.get(tool) ?? {}
    const next: string | undefined = refusedBy === undefined ? needs.find((each) => markers.has(each) && !open.has(each)) : undefined
    steps.set(gate, { gate, tool, others: known.length - 1, ...(next !== undefined && { needs: next }), ...(refusedBy !== undefined && { refusedBy }) })
    gate = next
  }
  return [...steps.values()]
}

function findingOf(gate: string, way: readonly Step[], pointer: string): Finding {
  const isRefused = way.at(-1)?.refusedBy !== undefined
  const steps = way.slice(0, MAX_SHOWN).map(sentence)
  const rest = way.length > MAX_SHOWN ? [`and so on, over ${way.length} gates`] : []
  return {
    code: isRefused ? 'refused_markers' : 'gate_cycle',
    severity: 'error',
    pointer,
    message: `${showName(gate)} can never be marked: ${[...steps, ...rest].join('; ')}`,
    hint: isRefused ? 'let the tool run, or another one mark the gate' : 'let another tool mark one of them, or take a tool out of a rule',
  }
}

function sentence({ gate, tool, others, needs, refusedBy }: Step): string {
  const why = refusedBy === undefined ? `which needs ${showName(needs ?? '')}` : `which \`${refusedBy}\` refuses`
  const marked = `${showName(gate)} is ${others === 0 ? 'only ' : ''}marked by ${showName(tool)}, ${why}`
  return others === 0 ? marked : `${marked} (${others} more cannot run either)`
}
