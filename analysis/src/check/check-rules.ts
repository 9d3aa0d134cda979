import type { GateRules, Policy } from '@callgate/core'
import { checkCycles } from './check-cycles.ts'
import { checkDeadRules } from './check-dead-rules.ts'
import { checkExamples } from './check-examples.ts'
import type { RuleExample } from './check-examples.ts'
import { checkKeys } from './check-keys.ts'
import { checkTools } from './check-tools.ts'
import type { Finding, KnownTool } from './finding.ts'

/** What rules are checked against: the server's tools, where they are known, and the file's own examples. */
export type CheckOptions = {
  readonly tools?: readonly KnownTool[]
  readonly examples?: readonly RuleExample[]
  readonly policies?: readonly Policy[]
}

/** Looks for what can never be met and what can never matter; rejects with `invalid_rules` for rules that cannot be compiled. */
export async function checkRules(rules: GateRules, { tools, examples = [], policies }: CheckOptions = {}): Promise<readonly Finding[]> {
  return [
    ...checkTools(rules, tools),
    ...checkCycles(rules, tools),
    ...checkDeadRules(rules),
    ...checkKeys(rules),
    ...(await checkExamples(rules, examples, policies)),
  ]
}
