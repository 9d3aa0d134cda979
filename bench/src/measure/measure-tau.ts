import { join } from 'node:path'
import { loadGates } from '@callgate/gates-file/load'
import { readLabels, readRuns, stoppedCalls } from './labelled-runs.ts'

/** Writes stopped of each kind: off the published key, in it, and refused by the tool itself; `tasks` are those of the stopped right ones. */
export type TauFigures = {
  readonly set: string
  readonly offKey: readonly [stopped: number, all: number]
  readonly inKey: readonly [stopped: number, all: number]
  readonly refused: readonly [foreseen: number, all: number]
  readonly tasks: readonly string[]
}

const SETS = [
  ['tau-bench-airline-gpt4o', 'airline'],
  ['tau-bench-retail-baseline', 'retail'],
  ['tau-bench-retail-precond-advice', 'retail'],
] as const

/** Replays tau-bench's runs through the rules made from its written policies, and judges each write by the published keys. */
export async function measureTau(data: string, examples: string, progress: (text: string) => void): Promise<readonly TauFigures[]> {
  const figures: TauFigures[] = []
  for (const [set, rules] of SETS) {
    progress(set)
    const traces = join(data, `${set}.jsonl.gz`)
    const runs = await readRuns(traces)
    const labels = await readLabels(join(data, `${set}.labels.jsonl`), runs)
    const { gates } = await loadGates(join(examples, rules, 'gates.yml'))
    const stopped = await stoppedCalls(traces, gates.rules, () => true)
    const isStopped = ({ id, call }: { readonly id: string; readonly call: number }): boolean => stopped.get(id)?.has(call) === true
    const count = (label: string): readonly [number, number] => {
      const all = labels.filter((one) => one.label === label)
      return [all.filter(isStopped).length, all.length]
    }
    const wrong = labels.filter((one) => one.label === 'in_key' && isStopped(one))
    const tasks = [...new Set(wrong.map(({ id }) => String(runs.get(id)?.task_id)))]
    figures.push({ set, offKey: count('off_key'), inKey: count('in_key'), refused: count('refused'), tasks })
  }
  return figures
}
