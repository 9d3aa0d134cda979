import { median } from '../figures.ts'
import { createWorld } from './world.ts'
import type { Contestant, World } from './world.ts'

/** Makes a contestant of a world; `mostRules` where more of them would take longer than anybody waits. */
export type Entrant = { readonly name: string; readonly mostRules?: number; enter(world: World): Contestant | Promise<Contestant> }

/** One cell of the table: microseconds a decision, the median of rounds; absent where it was not run. */
export type RuleFigure = { readonly name: string; readonly rules: number; readonly micros?: number }

const ROUNDS = 7
const ROUND_MS = 60
const AGREED = 256

/** Times every entrant at every size, once all have given the same answers; throws where one answers otherwise. */
export async function measureRules(entrants: readonly Entrant[], sizes: readonly number[], progress: (text: string) => void): Promise<readonly RuleFigure[]> {
  const figures: RuleFigure[] = []
  for (const rules of sizes) {
    const world = createWorld(rules)
    let expected: readonly boolean[] | undefined
    for (const { name, mostRules = Infinity, enter } of entrants) {
      if (rules > mostRules) {
        figures.push({ name, rules })
        continue
      }
      progress(`${name}, ${rules} rules`)
      const contestant = await enter(world)
      expected = await agree(contestant, world, expected)
      figures.push({ name, rules, micros: await timeDecision(contestant, world) })
    }
  }
  return figures
}

async function agree({ name, decide }: Contestant, { questions }: World, expected: readonly boolean[] | undefined): Promise<readonly boolean[]> {
  const answers: boolean[] = []
  const asked = questions.slice(0, AGREED)
  const start = performance.now()
  for (const tool of asked) {
    answers.push(await decide(tool))
    // A slow one is asked less; what it answered must still be right.
    if (performance.now() - start > 5_000) break
  }
  const wrong = answers.findIndex((answer, at) => expected !== undefined && answer !== expected[at])
  if (wrong !== -1) throw new Error(`${name} answers ${String(answers[wrong])} for ${String(asked[wrong])}, the floor does not`)
  return expected ?? answers
}

async function timeDecision({ decide }: Contestant, { questions }: World): Promise<number> {
  const first = decide(questions[0] as string)
  const isLater = first instanceof Promise
  await first
  const batch = isLater ? later : sync
  const warmed = await batch(decide, questions, ROUND_MS)
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) times.push(await batch(decide, questions, warmed > 100_000 ? 0 : ROUND_MS))
  return median(times)
}

/** Microseconds a decision over whole passes of the questions, for at least `leastMs`; a slow one is stopped within a pass. */
function sync(decide: Contestant['decide'], questions: readonly string[], leastMs: number): number {
  const start = performance.now()
  let decisions = 0
  let allowed = 0
  let elapsed = 0
  do {
    for (const tool of questions) {
      allowed += decide(tool) === true ? 1 : 0
      decisions += 1
      if (decisions < questions.length && (decisions & 7) === 0 && performance.now() - start > 1_000) break
    }
    elapsed = performance.now() - start
  } while (elapsed < leastMs)
  if (allowed > decisions) throw new Error('more was allowed than asked')
  return (elapsed * 1_000) / decisions
}

async function later(decide: Contestant['decide'], questions: readonly string[], leastMs: number): Promise<number> {
  const start = performance.now()
  let decisions = 0
  let elapsed = 0
  do {
    for (const tool of questions) {
      await decide(tool)
      decisions += 1
      if (performance.now() - start > 1_000) break
    }
    elapsed = performance.now() - start
  } while (elapsed < leastMs)
  return (elapsed * 1_000) / decisions
}
