import { isDeepStrictEqual } from 'node:util'
import { AdmissionKernel, Attempt, Candidate } from '@callgate/core'
import type { AdapterDeclaration, JsonObject } from '@callgate/core'
import { SchemaTypistPolicy } from '@callgate/schema-typist'
import { TIERS } from '../../typing/tiers.ts'
import type { Tier } from '../../typing/tiers.ts'
import type { TypingRow } from './typing-row.ts'
import { wrapParameter } from './wrap-value.ts'
import type { Wrapping } from './wrap-value.ts'

/** How a repair stands beside the published values: `unfit` where all of those break the schema themselves, `none` where there are none. */
export type Agreement = 'equal' | 'different' | 'unfit' | 'none'

/** What one tier makes of what was sent. */
export type SentOutcome =
  | { readonly kind: 'unchanged' | 'refused' | 'unjudged' }
  | { readonly kind: 'repaired'; readonly codes: readonly string[]; readonly published: Agreement; readonly later: 'equal' | 'different' | 'none' }

/** What one tier makes of the published values of a row, each by itself. */
export type KeyOutcome = {
  /** Values that the schema admits, and those of them that did not come out as they went in. */
  readonly admitted: number
  readonly changed: number
  /** Values that break the schema: repaired, or refused. */
  readonly repaired: number
  readonly refused: number
}

/** Judges rows in every tier, each through a kernel of its own. */
export type RowJudge = {
  sent(row: TypingRow, tier: Tier): SentOutcome
  key(row: TypingRow, tier: Tier): KeyOutcome
}

const ADAPTER: AdapterDeclaration = {
  id: 'measure', version: '1', lifecycle: ['pre:tool.call'], identity: true, completeCandidate: true,
  effects: { deny: true, replace: true, hold: false, observe: true },
}

type Admitted = { readonly args: JsonObject; readonly isChanged: boolean; readonly codes: readonly string[] } | undefined

/** Makes a judge; in `strict` booleans are not opted in to. */
export function createRowJudge(): RowJudge {
  const kernels = new Map(TIERS.map((mode) => [mode, new AdmissionKernel([new SchemaTypistPolicy({ mode })])]))
  const wrappings = new WeakMap<TypingRow, Wrapping>()
  const wrappingOf = (row: TypingRow): Wrapping => {
    const wrapping = wrappings.get(row) ?? wrapParameter(row)
    wrappings.set(row, wrapping)
    return wrapping
  }
  const admit = (tier: Tier, { schema }: Wrapping, args: unknown, tool: string): Admitted => {
    const candidate = Candidate.ofArguments(args)
    const attempt = Attempt.create({ phase: 'pre', event: 'tool.call', target: { adapter: 'measure', tool }, candidate, schema })
    const decision = kernels.get(tier)?.admit(attempt, ADAPTER)
    if (decision?.verdict !== 'run') return undefined
    const { changes, reasons } = decision
    return { args: decision.candidate.fields['arguments'] as JsonObject, isChanged: changes.length > 0, codes: reasons.map(({ code }) => code) }
  }
  return {
    sent(row, tier) {
      const wrapping = wrappingOf(row)
      if (row.schema === null || !wrapping.schema.compiles) return { kind: 'unjudged' }
      const admitted = admit(tier, wrapping, wrapping.wrap(row.sent), row.tool)
      if (admitted === undefined) return { kind: 'refused' }
      if (!admitted.isChanged) return { kind: 'unchanged' }
      const value = wrapping.unwrap(admitted.args)
      const later = row.later === undefined ? 'none' : isDeepStrictEqual(plain(value), plain(row.later.value)) ? 'equal' : 'different'
      return { kind: 'repaired', codes: admitted.codes, published: agreement(row, wrapping, value), later }
    },
    key(row, tier) {
      const wrapping = wrappingOf(row)
      const counts = { admitted: 0, changed: 0, repaired: 0, refused: 0 }
      for (const value of row.published?.values ?? []) {
        const isFit = fits(wrapping, value)
        const admitted = admit(tier, wrapping, wrapping.wrap(value), row.tool)
        const isSame = admitted !== undefined && !admitted.isChanged
        if (isFit) counts.admitted += 1
        if (isFit && !isSame) counts.changed += 1
        if (!isFit && admitted !== undefined) counts.repaired += 1
        if (!isFit && admitted === undefined) counts.refused += 1
      }
      return counts
    },
  }
}

function agreement(row: TypingRow, wrapping: Wrapping, value: unknown): Agreement {
  const { published } = row
  if (published === undefined) return 'none'
  const { values, mayBeLeftOut } = published
  const isEqual = value === undefined ? mayBeLeftOut : values.some((one) => isDeepStrictEqual(plain(one), plain(value)))
  if (isEqual) return 'equal'
  return (mayBeLeftOut && row.isOptional) || values.some((one) => fits(wrapping, one)) ? 'different' : 'unfit'
}

function fits({ schema, wrap }: Wrapping, value: unknown): boolean {
  return schema.faultOf(Candidate.ofArguments(wrap(value)).fields['arguments'] as JsonObject) === undefined
}

/** Without prototypes and the exactness of the core's copies, so that only the values count. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each)))
}
