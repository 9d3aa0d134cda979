import type { Attempt } from '../model/attempt.ts'
import { CallgateError } from '../model/callgate-error.ts'
import type { Policy } from '../model/policy.ts'
import { KERNEL_ID } from './kernel-reason.ts'
import { quieten } from './quieten.ts'
import { createOwnedReader, findConflict, parseOwned } from './ownership.ts'
import type { OwnedPointers } from './ownership.ts'

/** A policy as it was when the kernel was constructed; its answers are not yet trusted. */
export type PreparedPolicy = {
  readonly id: string
  readonly version: string
  readonly evaluate: (attempt: Attempt) => unknown
  /** What it owns; of ownership that depends on the attempt, undefined for an answer that is no list. May throw what the policy throws. */
  readonly owns: OwnedPointers | ((attempt: Attempt) => OwnedPointers | undefined)
}

/**
 * Checks the policies and fixes what they are (contract 5.4). Throws `invalid_policy` for what is no policy, an id that two
 * share or that is the kernel's, fixed ownership that is malformed or that two share.
 */
export function preparePolicies(policies: readonly Policy[]): readonly PreparedPolicy[] {
  if (!Array.isArray(policies)) throw invalid('the kernel takes a list of policies')
  const prepared = policies.map(preparePolicy)
  const ids = prepared.map((policy) => policy.id)
  const repeated = ids.find((id, at) => ids.indexOf(id) !== at)
  if (repeated !== undefined) throw invalid(`two policies have the id "${repeated}"; give each its own`)
  const conflict = findConflict(prepared.map(({ owns }) => (typeof owns === 'function' ? new Set() : owns)))
  if (conflict !== undefined) {
    const { first, second, pointer } = conflict
    throw invalid(`"${ids[first]}" and "${ids[second]}" both own ${pointer}; a field has one owner`)
  }
  return Object.freeze(prepared)
}

function preparePolicy(policy: Policy): PreparedPolicy {
  if (typeof policy !== 'object' || policy === null) throw invalid('a policy is an object with id, version, owns and evaluate')
  const { id, version, owns, evaluate } = policy
  if (typeof id !== 'string' || id === '') throw invalid('a policy needs an id')
  if (id === KERNEL_ID) throw invalid(`"${KERNEL_ID}" is the kernel's own name; choose another id`)
  if (typeof version !== 'string' || version === '') throw invalid(`"${id}" needs a version`)
  if (typeof evaluate !== 'function') throw invalid(`"${id}" needs a function evaluate`)
  const call = (attempt: Attempt): unknown => Reflect.apply(evaluate, policy, [attempt])
  if (typeof owns === 'function') {
    const read = createOwnedReader()
    return { id, version, evaluate: call, owns: (attempt) => readAnswer(Reflect.apply(owns, policy, [attempt]), read) }
  }
  const owned = parseOwned(owns)
  if (owned === undefined) throw invalid(`"${id}" owns no list of field names and JSON Pointers`)
  return { id, version, evaluate: call, owns: owned }
}

function readAnswer(answer: unknown, read: ReturnType<typeof createOwnedReader>): OwnedPointers | undefined {
  quieten(answer)
  return read(answer)
}

function invalid(what: string): CallgateError {
  return new CallgateError('invalid_policy', `Invalid policy: ${what}.`)
}
