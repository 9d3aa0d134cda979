import type { Attempt } from '../model/attempt.ts'
import { changedCandidate } from '../model/candidate.ts'
import type { Candidate } from '../model/candidate.ts'
import { diffValues } from '../model/diff-values.ts'
import type { Change } from '../model/pointer.ts'
import type { DecisionReason } from '../model/reason.ts'
import type { Evaluation } from './evaluate-policies.ts'
import { kernelReason } from './kernel-reason.ts'
import { findConflict, isOwned } from './ownership.ts'
import type { OwnedPointers } from './ownership.ts'

/** The complete successor of several repairs and what it changes, in document order; or what stands against them. */
export type Merge =
  | { readonly kind: 'merged'; readonly candidate: Candidate; readonly changes: readonly Change[] }
  | { readonly kind: 'refused'; readonly reasons: readonly DecisionReason[] }

/** Merges the repairs of all owners by pointer (contract 5.4); the same candidate where they change nothing. */
export function mergeRepairs(attempt: Attempt, evaluations: readonly Evaluation[]): Merge {
  const { candidate } = attempt
  const repairs = evaluations.filter(({ proposal }) => proposal.kind === 'repair')
  if (repairs.length === 0) return { kind: 'merged', candidate, changes: [] }
  const owners = evaluations.map((evaluation) => ownedBy(evaluation, attempt))
  const reasons = [...failuresOf(evaluations, owners), ...conflictOf(evaluations, owners)]
  for (const [at, evaluation] of evaluations.entries()) {
    const owned = owners[at]
    if (evaluation.proposal.kind === 'repair' && owned !== undefined) reasons.push(...trespassesOf(evaluation, owned))
  }
  if (reasons.length > 0) return { kind: 'refused', reasons }
  return mergedOf(candidate, repairs)
}

function mergedOf(candidate: Candidate, repairs: readonly Evaluation[]): Merge {
  const [only] = repairs
  const wanted = repairs.length === 1 && only !== undefined ? only.changes : repairs.flatMap((repair) => repair.changes)
  if (wanted.length === 0) return { kind: 'merged', candidate, changes: [] }
  if (repairs.length === 1 && only?.proposal.kind === 'repair') {
    return { kind: 'merged', candidate: only.isWhole ? only.proposal.candidate : changedCandidate(candidate, wanted), changes: only.changes }
  }
  // Those of several stand in the order of their owners, not of the document.
  const successor = changedCandidate(candidate, wanted)
  return { kind: 'merged', candidate: successor, changes: diffValues(candidate.fields, successor.fields) }
}

function ownedBy({ policy: { owns } }: Evaluation, attempt: Attempt): OwnedPointers | undefined {
  if (typeof owns !== 'function') return owns
  try {
    return owns(attempt)
  } catch {
    return undefined
  }
}

function failuresOf(evaluations: readonly Evaluation[], owners: readonly (OwnedPointers | undefined)[]): DecisionReason[] {
  return evaluations
    .filter((_, at) => owners[at] === undefined)
    .map(({ policy }) => kernelReason('evaluator_failure', `The policy "${policy.id}" failed: it did not say which fields it owns.`))
}

function conflictOf(evaluations: readonly Evaluation[], owners: readonly (OwnedPointers | undefined)[]): readonly DecisionReason[] {
  if (owners.length < 2) return []
  const conflict = findConflict(owners.map((owned) => owned ?? new Set()))
  if (conflict === undefined) return []
  const { first, second, pointer } = conflict
  const names = `"${evaluations[first]?.policy.id}" and "${evaluations[second]?.policy.id}"`
  return [kernelReason('ownership_conflict', `The policies ${names} both own ${pointer}, so neither repair is made.`, pointer)]
}

/** What a repair did beyond its rights: a field that it dropped, one that it changed or added and does not own. */
function trespassesOf({ policy, changes }: Evaluation, owned: OwnedPointers): readonly DecisionReason[] {
  let dropped: Change | undefined
  let foreign: Change | undefined
  for (const change of changes) {
    if (isDrop(change)) dropped ??= change
    else if (foreign === undefined && (isAddition(change) || !isOwned(owned, change.pointer))) foreign = change
  }
  const reasons: DecisionReason[] = []
  if (dropped !== undefined) {
    const text = `The repair of the policy "${policy.id}" lacks the field ${dropped.pointer}, so it is no complete candidate.`
    reasons.push(kernelReason('incomplete', text, dropped.pointer))
  }
  if (foreign !== undefined) {
    const text = `The policy "${policy.id}" may not change ${foreign.pointer}, which it does not own.`
    reasons.push(kernelReason('not_owned', text, foreign.pointer))
  }
  return reasons
}

/** A field as a whole came or went: its pointer has one token. */
function isDrop({ pointer, after }: Change): boolean {
  return after === undefined && pointer.lastIndexOf('/') === 0
}

function isAddition({ pointer, before }: Change): boolean {
  return before === undefined && pointer.lastIndexOf('/') === 0
}
