import type { CompiledGates } from './compile-gates.ts'
import { CONFIRM_GATE } from './gate-rule.ts'
import type { GateRule } from './gate-rule.ts'
import { createNameMemo } from './name-memo.ts'
import type { ToolTerms } from './tool-terms.ts'

/** The marked gates of one session as bits; made and changed by `GateBits`. */
export type MarkedBits = number[]

/** A look-up for listed tools all of whose rules only name a gate: no condition, no expression, no question, no annotations. */
export type GateBits = {
  /** Nothing marked. */
  createMarked(): MarkedBits
  /** Marks a gate; one that no rule names changes nothing. */
  mark(marked: MarkedBits, gate: string): void
  /** True where nothing but marks decides of the tool, and all of its gates are marked. False says: judge the call. */
  isClear(tool: string, marked: MarkedBits): boolean
}

/** Pairs of a word's place and the bits that must be set in it. */
type Need = readonly number[]

/** The need of a tool of which more than marks decides. */
const UNDECIDED: Need = Object.freeze([])

/** So many that a word stays a small integer. */
const BITS_A_WORD = 30

/** Numbers the gates, and finds what a tool needs when it is first asked for; each look-up costs its own tool's gates, 30 at a time. */
export function createGateBits(gates: CompiledGates): GateBits {
  const gatesByTool = groupByTool(gates.source.rules)
  const places = numberGates(gatesByTool)
  const words = Math.ceil(places.size / BITS_A_WORD)
  // What a server says of a tool is not known here, and a rule may be about it.
  const readsAnnotations = gates.source.rules.some(({ annotations }) => annotations !== undefined)
  const memo = createNameMemo<Need>((tool) => gatesByTool.has(tool))

  const needOf = (terms: ToolTerms): Need => {
    if (readsAnnotations || !isPlain(gates, terms)) return UNDECIDED
    const bits = new Map<number, number>()
    for (const { rule } of terms.rules) {
      const place = places.get(rule.gate) as number
      const word = Math.floor(place / BITS_A_WORD)
      bits.set(word, (bits.get(word) ?? 0) | (1 << (place % BITS_A_WORD)))
    }
    return [...bits].flat()
  }
  return {
    createMarked: () => Array.from({ length: words }, () => 0),
    mark(marked, gate) {
      const place = places.get(gate)
      if (place === undefined) return
      const word = Math.floor(place / BITS_A_WORD)
      marked[word] = (marked[word] as number) | (1 << (place % BITS_A_WORD))
    },
    isClear(tool, marked) {
      const need = memo.get(tool) ?? memo.set(tool, needOf(gates.termsOf(tool)))
      if (need === UNDECIDED) return false
      for (let at = 0; at < need.length; at += 2) {
        const bits = need[at + 1] as number
        if (((marked[need[at] as number] as number) & bits) !== bits) return false
      }
      return true
    },
  }
}

function groupByTool(rules: readonly GateRule[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>()
  for (const { gate, tools = ['*'] } of rules) {
    for (const tool of tools) {
      const known = groups.get(tool)
      if (known === undefined) groups.set(tool, [gate])
      else known.push(gate)
    }
  }
  return groups
}

/** The gates of one tool lie side by side, so that one word holds most of what it needs. */
function numberGates(groups: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, number> {
  const places = new Map<string, number>()
  for (const gates of groups.values()) for (const gate of gates) if (!places.has(gate)) places.set(gate, places.size)
  return places
}

function isPlain({ source }: CompiledGates, { rules, limits, clears, standing }: ToolTerms): boolean {
  const isOpen = standing === 'named' || (standing === 'unnamed' && (source.default ?? 'allow') === 'allow')
  return isOpen && limits.length === 0 && clears.length === 0 && rules.every(({ rule }) => isPlainRule(rule))
}

function isPlainRule({ gate, condition, key, require, when }: GateRule): boolean {
  return gate !== CONFIRM_GATE && condition === undefined && key === undefined && require === undefined && when === undefined
}
