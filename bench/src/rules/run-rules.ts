import { casbin } from './casbin.ts'
import { casl } from './casl.ts'
import { cedar } from './cedar.ts'
import { floor } from './floor.ts'
import { jsonRules } from './json-rules.ts'
import { linearScan } from './linear-scan.ts'
import { measureRules } from './measure-rules.ts'
import type { Entrant } from './measure-rules.ts'
import { ours } from './ours.ts'
import { formatRuleReport } from './rule-report.ts'

const SIZES = [10, 1_000, 10_000, 100_000]

const ENTRANTS: readonly Entrant[] = [
  { name: 'floor: Map and a bit test', enter: floor },
  { name: 'callgate', enter: ours },
  { name: 'linear scan', enter: linearScan },
  { name: 'CASL', enter: casl },
  { name: 'casbin', enter: casbin, mostRules: 10_000 },
  { name: 'cedar-wasm', enter: cedar, mostRules: 10_000 },
  { name: 'json-rules-engine', enter: jsonRules, mostRules: 10_000 },
]

/** Measures one decision at each size and returns the tables; says on `progress` what it is at. */
export async function runRules(progress: (text: string) => void): Promise<string> {
  return formatRuleReport(await measureRules(ENTRANTS, SIZES, progress))
}
