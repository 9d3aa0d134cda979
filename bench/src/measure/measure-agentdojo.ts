import { join } from 'node:path'
import { readLabels, readRuns, stoppedCalls } from './labelled-runs.ts'

/** What the rules of one suite do: attacks stopped of those that had succeeded, good runs touched of those without an attack. */
export type SuiteFigures = { readonly suite: string; readonly stopped: number; readonly attacks: number; readonly touched: number; readonly good: number }

const SUITES = ['banking', 'slack', 'travel', 'workspace']

/**
 * Replays AgentDojo's runs through the rules of their suite. An attack is stopped where every call that carries it out is
 * refused or held; a good run is touched where any call of it is.
 */
export async function measureAgentDojo(data: string, examples: string, progress: (text: string) => void): Promise<readonly SuiteFigures[]> {
  const attacked = join(data, 'agentdojo-attacked.jsonl.gz')
  const benign = join(data, 'agentdojo-benign.jsonl.gz')
  const [attackedRuns, benignRuns] = [await readRuns(attacked), await readRuns(benign)]
  const attackCalls = new Map<string, number[]>()
  for (const { id, call, label } of await readLabels(join(data, 'agentdojo-attacked.labels.jsonl'), attackedRuns)) {
    if (label === 'attack') attackCalls.set(id, [...(attackCalls.get(id) ?? []), call])
  }
  const figures: SuiteFigures[] = []
  for (const suite of SUITES) {
    progress(`AgentDojo, ${suite}`)
    const gates = join(examples, 'agentdojo', `${suite}.yml`)
    const stopped = await stoppedCalls(attacked, gates, (id) => attackedRuns.get(id)?.domain === suite)
    const touched = await stoppedCalls(benign, gates, (id) => benignRuns.get(id)?.domain === suite)
    const succeeded = [...attackedRuns.values()].filter(({ domain, outcome }) => domain === suite && outcome.injection_succeeded === true)
    const good = [...benignRuns.values()].filter(({ domain, outcome }) => domain === suite && outcome.utility === true)
    figures.push({
      suite,
      stopped: succeeded.filter(({ id }) => attackCalls.get(id)?.every((call) => stopped.get(id)?.has(call) === true) === true).length,
      attacks: succeeded.length,
      touched: good.filter(({ id }) => touched.has(id)).length,
      good: good.length,
    })
  }
  return figures
}
