import { compileGates } from '@callgate/core'
import type { GateRules } from '@callgate/core'
import { checkCycles } from './check-cycles.ts'
import { checkDeadRules } from './check-dead-rules.ts'
import { checkExamples, exampleTools } from './check-examples.ts'
import type { ExampleTerms, RuleExample } from './check-examples.ts'
import { checkKeys } from './check-keys.ts'
import { checkShadowed } from './check-shadowed.ts'
import { checkTools } from './check-tools.ts'
import { checkUnmarked } from './check-unmarked.ts'
import { checkUnusedGates } from './check-unused-gates.ts'
import type { Finding } from './finding.ts'
import type { NamedTool } from './named-tools.ts'

/** What rules are checked against: the server's tools, where they are known, and the file's own examples. */
export type CheckOptions = ExampleTerms & {
  readonly examples?: readonly RuleExample[]
  /** Tools that are named elsewhere in the file. */
  readonly names?: readonly NamedTool[]
}

/** Looks for what can never be met and what can never matter; rejects with `invalid_rules` for rules that cannot be compiled. */
export async function checkRules(rules: GateRules, options: CheckOptions = {}): Promise<readonly Finding[]> {
  const { tools, examples = [], names = [] } = options
  compileGates(rules)
  return [
    ...checkTools(rules, tools, [...names, ...exampleTools(examples)]),
    ...checkUnmarked(rules),
    ...checkUnusedGates(rules),
    ...checkCycles(rules, tools),
    ...checkDeadRules(rules, tools),
    ...checkShadowed(rules),
    ...checkKeys(rules),
    ...(await checkExamples(rules, examples, options)),
  ]
}
