import { createGatekeeper } from '@callgate/core'
import type { GateRules, Policy } from '@callgate/core'
import { local } from '@callgate/core/local'
import type { Finding } from './finding.ts'

/** A call that nothing came before in its session, and what is to become of it. */
export type RuleExample = {
  readonly call: { readonly tool: string; readonly args?: unknown }
  readonly expect: 'refuse' | 'hold' | 'run'
  readonly by?: string
}

const WORDS = { refused: 'refuse', held: 'hold', ran: 'run' } as const

/** Runs each example through the code that judges live calls, in a session of its own; what comes out otherwise is an error. */
export async function checkExamples(rules: GateRules, examples: readonly RuleExample[], policies: readonly Policy[] = []): Promise<readonly Finding[]> {
  const gatekeeper = createGatekeeper({ gates: rules, policies, ...local(), schemaless: 'allow' })
  const findings: Finding[] = []
  for (const [at, { call, expect, by }] of examples.entries()) {
    const outcome = await gatekeeper.session(`example ${at}`, { principal: 'check' }).call({ tool: call.tool, args: call.args ?? {} }, () => undefined)
    const verdict = WORDS[outcome.verdict]
    const decided = outcome.verdict === 'ran' ? undefined : (outcome.rule ?? (outcome.verdict === 'refused' ? outcome.cause : undefined))
    const isRight = verdict === expect && (by === undefined || by === decided)
    if (isRight) continue
    const found = `${verdict}${decided === undefined ? '' : ` by \`${decided}\``}`
    const wanted = `${expect}${by === undefined ? '' : ` by \`${by}\``}`
    findings.push({
      code: 'failing_example',
      severity: 'error',
      pointer: `/examples/${at}`,
      message: `the call of \`${call.tool}\` is to ${wanted}, and the rules say ${found}`,
      hint: 'correct the rules, or the example',
    })
  }
  return findings
}
