import type { ErrorObject } from 'ajv'
import { parsePointer } from '@callgate/core'
import type { Reason } from '@callgate/core'

/** Faults of the whole that say nothing of the properties that are there. */
const ABOUT_NAMES: ReadonlySet<string> = new Set(['required', 'additionalProperties', 'unevaluatedProperties', 'propertyNames', 'dependentRequired'])

/**
 * The casts that were safe although the arguments as a whole stay invalid (contract 8): those in top-level properties that
 * have no fault after them. None where a fault is about the whole: then nobody can tell what it means for a property.
 * `errors` must be all that the validator finds after the casts.
 */
export function safeCasts(casts: readonly Reason[], errors: readonly ErrorObject[]): readonly Reason[] {
  if (errors.some(({ instancePath, keyword }) => instancePath === '' && !ABOUT_NAMES.has(keyword))) return []
  const faulty = new Set(errors.map(({ instancePath }) => parsePointer(instancePath)?.[0]))
  return casts.filter(({ pointer = '' }) => !faulty.has(parsePointer(pointer)?.[1]))
}
