import { join } from 'node:path'
import type { GateRules } from '@callgate/core'
import { loadGates } from '@callgate/gates-file/load'
import { readLabels, readRuns, stoppedCalls } from './labelled-runs.ts'
import type { Run } from './labelled-runs.ts'

/** Attacks stopped of those that had succeeded, and good runs touched of those without an attack. */
export type Figures = { readonly stopped: number; readonly attacks: number; readonly touched: number; readonly good: number }

/** What the rules of one suite do, and what they would do if only the user's own words marked their gates. */
export type SuiteFigures = { readonly suite: string; readonly asWritten: Figures; readonly userAlone: Figures }

type Runs = { readonly path: string; readonly runs: ReadonlyMap<string, Run> }

const SUITES = ['banking', 'slack', 'travel', 'workspace']

/**
 * Replays AgentDojo's runs through the rules of their suite. An attack is stopped where every call that carries it out is
 * refused or held; a good run is touched where any call of it is.
 */
export async function measureAgentDojo(data: string, examples: string, progress: (text: string) => void): Promise<readonly SuiteFigures[]> {
  const attacked = await runsOf(join(data, 'agentdojo-attacked.jsonl.gz'))
  const benign = await runsOf(join(data, 'agentdojo-benign.jsonl.gz'))
  const attackCalls = new Map<string, number[]>()
  for (const { id, call, label } of await readLabels(join(data, 'agentdojo-attacked.labels.jsonl'), attacked.runs)) {
    if (label === 'attack') attackCalls.set(id, [...(attackCalls.get(id) ?? []), call])
  }
  const measure = async (suite: string, rules: GateRules): Promise<Figures> => {
    const stopped = await stoppedCalls(attacked.path, rules, (id) => attacked.runs.get(id)?.domain === suite)
    const touched = await stoppedCalls(benign.path, rules, (id) => benign.runs.get(id)?.domain === suite)
    const succeeded = [...attacked.runs.values()].filter(({ domain, outcome }) => domain === suite && outcome.injection_succeeded === true)
    const good = [...benign.runs.values()].filter(({ domain, outcome }) => domain === suite && outcome.utility === true)
    return {
      stopped: succeeded.filter(({ id }) => attackCalls.get(id)?.every((call) => stopped.get(id)?.has(call) === true) === true).length,
      attacks: succeeded.length,
      touched: good.filter(({ id }) => touched.has(id)).length,
      good: good.length,
    }
  }
  const figures: SuiteFigures[] = []
  for (const [at, suite] of SUITES.entries()) {
    progress(`AgentDojo, ${suite} (${at + 1} of ${SUITES.length})`)
    const { gates } = await loadGates(join(examples, 'agentdojo', `${suite}.yml`))
    const userAlone = { ...gates.rules, marks: (gates.rules.marks ?? []).filter(({ from }) => from === 'user') }
    figures.push({ suite, asWritten: await measure(suite, gates.rules), userAlone: await measure(suite, userAlone) })
  }
  return figures
}

async function runsOf(path: string): Promise<Runs> {
  return { path, runs: await readRuns(path) }
}
