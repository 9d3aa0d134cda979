import type { Expression, GateRule } from '@callgate/core'
import type { Finding, KnownTool } from './finding.ts'

/** A rule that needs `gate` before `tools`. */
export function rule(gate: string, tools: readonly string[], more: Partial<GateRule> = {}): GateRule {
  return { gate, tools, message: 'Do it first.', ...more }
}

/** An expression that is only looked at, never evaluated. */
export function read(source: string): Expression {
  return { source, evaluate: () => undefined }
}

/** Tools that say nothing of themselves. */
export function named(...names: readonly string[]): readonly KnownTool[] {
  return names.map((name) => ({ name }))
}

/** Findings, one short text each. */
export function brief(findings: readonly Finding[]): readonly string[] {
  return findings.map(({ severity, code, pointer }) => `${severity} ${code} ${pointer}`)
}
