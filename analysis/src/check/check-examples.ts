import { createGatekeeper } from '@callgate/core'
import type { AttemptSchema, GateRules, Outcome, Policy } from '@callgate/core'
import { local } from '@callgate/core/local'
import type { Finding, KnownTool } from './finding.ts'
import type { NamedTool } from './named-tools.ts'
import { showName } from './show-name.ts'

/** A call that nothing came before in its session, and what is to become of it; `by` names what decides. */
export type RuleExample = {
  readonly call: { readonly tool: string; readonly args?: unknown }
  readonly expect: 'refuse' | 'hold' | 'run'
  readonly by?: string
}

/** What the calls of examples are judged with, as far as it is known. */
export type ExampleTerms = {
  readonly tools?: readonly KnownTool[]
  readonly policies?: readonly Policy[]
  /** The schema that a call of the tool carries; without one its arguments are taken as valid. */
  schemaOf?(tool: string): AttemptSchema | undefined
}

const WORDS = { refused: 'refuse', held: 'hold', ran: 'run' } as const

/** Runs each example through the code that judges live calls, in a session of its own; what comes out otherwise is an error. */
export async function checkExamples(rules: GateRules, examples: readonly RuleExample[], terms: ExampleTerms = {}): Promise<readonly Finding[]> {
  if (examples.length === 0) return []
  const gatekeeper = createGatekeeper({ gates: rules, policies: terms.policies ?? [], ...local(), schemaless: 'allow' })
  const known = terms.tools && new Map(terms.tools.map((tool) => [tool.name, tool]))
  const findings: Finding[] = []
  for (const [at, { call: { tool, args = {} }, expect, by }] of examples.entries()) {
    const listed = known?.get(tool)
    const call = {
      tool, args, schema: terms.schemaOf?.(tool), annotations: listed?.annotations, isListed: known === undefined ? undefined : listed !== undefined,
    }
    const outcome = await gatekeeper.session(`example ${at}`, { principal: 'check' }).call(call, () => undefined)
    const decided = decidedBy(outcome)
    if (WORDS[outcome.verdict] === expect && (by === undefined || by === decided)) continue
    findings.push({
      code: 'failing_example',
      severity: 'error',
      pointer: `/examples/${at}`,
      message: `the call of ${showName(tool)} is to ${shown(expect, by)}, and the rules say ${shown(WORDS[outcome.verdict], decided)}`,
      hint: 'correct the rules, or the example',
    })
  }
  return findings
}

/** The tools of the examples, as names that the server must have; but not where one shows that an unlisted tool is refused. */
export function exampleTools(examples: readonly RuleExample[]): readonly NamedTool[] {
  return examples.flatMap(({ call, by }, at) => (by === 'unlisted' ? [] : [{ name: call.tool, pointer: `/examples/${at}/call/tool` }]))
}

/** The gate that decided first, or the part of the rules; for a refusal that no rule made its cause. */
function decidedBy(outcome: Outcome<unknown>): string | undefined {
  if (outcome.verdict === 'ran') return undefined
  return outcome.rule ?? (outcome.verdict === 'refused' ? outcome.cause : undefined)
}

function shown(verdict: string, by: string | undefined): string {
  return by === undefined ? verdict : `${verdict} by ${showName(by)}`
}
