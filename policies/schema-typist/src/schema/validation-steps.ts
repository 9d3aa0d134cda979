// The most that one validation may take: references followed, each with the members, or pieces of 16 characters, of its value.
const MOST_VALIDATION_STEPS = 200_000

/** Thrown where a validation takes more steps than it may: the arguments could not be checked. */
export class ValidationTooLong extends Error {}

/** The steps of one schema's validations. */
export type ValidationSteps = {
  /** A reference is followed for a value: throws `ValidationTooLong` where no steps are left. */
  follow(value: unknown): void
  /** Begins a validation: all steps are there again. */
  begin(): void
}

/**
 * Bounds the work of a validation. Only references let it grow faster than the arguments: in unions that refer to themselves
 * each level multiplies it, and the arguments choose how many levels there are.
 */
export function createValidationSteps(): ValidationSteps {
  let left = MOST_VALIDATION_STEPS
  return {
    follow(value) {
      left -= 1 + extent(value)
      if (left < 0) throw new ValidationTooLong('too many steps')
    },
    begin() {
      left = MOST_VALIDATION_STEPS
    },
  }
}

function extent(value: unknown): number {
  if (typeof value === 'string') return Math.floor(value.length / 16)
  if (typeof value !== 'object' || value === null) return 0
  return Array.isArray(value) ? value.length : Object.keys(value).length
}
