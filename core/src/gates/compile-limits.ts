import { canonicalJson } from '../model/canonical.ts'
import { sha256Hex } from '../model/digest.ts'
import type { JsonObject } from '../model/json-value.ts'
import type { LimitRule } from './gate-rule.ts'

/**
 * A limit and the name under which its charges are kept: what it counts and over which window. Its bound is no part of it, so
 * that what was spent still counts when a bound is tightened.
 */
export type CompiledLimit = { readonly rule: LimitRule; readonly name: string }

/** Limits in file order; of those that count the same only the strictest, so that a call is charged once for each. */
export function compileLimits(limits: readonly LimitRule[]): readonly CompiledLimit[] {
  const byName = new Map<string, CompiledLimit>()
  for (const rule of limits) {
    const name = nameOf(rule)
    const known = byName.get(name)
    if (known === undefined || boundOf(rule) < boundOf(known.rule)) byName.set(name, { rule, name })
  }
  return [...byName.values()]
}

function nameOf({ tools, calls, sum, perMs }: LimitRule): string {
  const counted: JsonObject = {
    tools: tools === undefined ? null : [...new Set(tools)].sort(),
    counts: sum?.source ?? (calls === undefined ? 'repeats' : 'calls'),
    isSum: sum !== undefined,
    perMs: perMs ?? null,
  }
  return sha256Hex(canonicalJson(counted))
}

function boundOf({ calls, max, repeats }: LimitRule): number {
  return calls ?? max ?? repeats ?? Infinity
}
