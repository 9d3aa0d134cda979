const GATES = 30
const QUESTIONS = 1_024
const RULES_A_TOOL = 10

/** One rule of the bench: the tool needs the gate. */
export type BenchRule = { readonly gate: string; readonly tool: string }

/** What every contestant is given: the rules, which gates are marked, and the tools that are asked about in turn. */
export type World = {
  readonly rules: readonly BenchRule[]
  readonly gates: readonly string[]
  readonly marked: ReadonlySet<string>
  readonly questions: readonly string[]
}

/** The decision of the bench: may this tool run, given what is marked. Some libraries only answer later. */
export type Contestant = { readonly name: string; decide(tool: string): boolean | Promise<boolean> }

/** Makes a world of `size` rules over a tenth as many tools: each tool needs ten gates, of which one in thirty is not marked. */
export function createWorld(size: number): World {
  const random = createRandom(size)
  const gates = Array.from({ length: GATES }, (_, at) => `gate_${at}`)
  const tools = Array.from({ length: Math.max(1, Math.floor(size / RULES_A_TOOL)) }, (_, at) => `tool_${at}`)
  const rules = Array.from({ length: size }, (_, at) => ({
    gate: gates[Math.floor(random() * GATES)] as string,
    tool: tools[at % tools.length] as string,
  }))
  const questions = Array.from({ length: QUESTIONS }, () => tools[Math.floor(random() * tools.length)] as string)
  return { rules, gates, marked: new Set(gates.slice(1)), questions }
}

/** A linear congruential generator (Numerical Recipes), so that every run asks the same. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
