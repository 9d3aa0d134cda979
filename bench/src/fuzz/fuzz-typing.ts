import { createRandom } from './create-random.ts'
import { createJudges } from './judge-pair.ts'
import type { PairFault, PairVerdict, SchemaJudge, SentArguments } from './judge-pair.ts'
import { randomArguments } from './random-arguments.ts'
import { randomSchema } from './random-schema.ts'
import { shrinkPair } from './shrink-pair.ts'
import type { FailingPair } from './shrink-pair.ts'
import { TIERS } from '../typing/tiers.ts'
import type { Tier } from '../typing/tiers.ts'

/** What a run came to: pairs tried, what each tier made of them, and the first pair that goes wrong. */
export type FuzzResult = {
  readonly pairs: number
  readonly schemas: number
  readonly verdicts: Readonly<Record<Tier, Readonly<Record<PairVerdict, number>>>>
  readonly failing: FailingPair | undefined
}

/** How many pairs, from which seed, how many sets of arguments a schema; `progress` hears of every schema. */
export type FuzzOptions = { readonly runs: number; readonly seed: number; readonly argumentsPerSchema: number; progress?(pairs: number): void }

/** Tries random pairs until so many are tried or one goes wrong. The same options are the same run. */
export function fuzzTyping({ runs, seed, argumentsPerSchema, progress }: FuzzOptions): FuzzResult {
  const judges = createJudges()
  const verdicts = { strict: noVerdicts(), basic: noVerdicts(), flexible: noVerdicts() }
  let [pairs, schemas] = [0, 0]
  while (pairs < runs) {
    // A seed of its own: a schema does not hang on how many arguments the ones before had.
    const random = createRandom(Math.imul(seed, 1_000_003) + schemas)
    const schema = randomSchema(random)
    const judge = judges(schema)
    schemas += 1
    const most = Math.min(argumentsPerSchema, runs - pairs)
    for (let at = 0; at < most; at += 1) {
      const sent = randomArguments(random, schema)
      const outcome = judged(judge, sent)
      pairs += 1
      if ('what' in outcome) return { pairs, schemas, verdicts, failing: shrinkPair({ schema, sent, fault: outcome }, judges) }
      outcome.forEach((verdict, tier) => (verdicts[TIERS[tier] ?? 'strict'][verdict] += 1))
    }
    progress?.(pairs)
  }
  return { pairs, schemas, verdicts, failing: undefined }
}

function judged(judge: SchemaJudge, sent: SentArguments): readonly PairVerdict[] | PairFault {
  return judge.fault ?? judge.judge(sent)
}

function noVerdicts(): Record<PairVerdict, number> {
  return { unchanged: 0, repaired: 0, refused: 0 }
}
