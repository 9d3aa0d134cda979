import { CallgateError } from './callgate-error.ts'
import { readDecimal } from './decimal.ts'

/**
 * A number from the wire whose decimal value its double does not print back (contract 2): forwarded, compared and
 * digested by `text`, seen by rules and validators as `value`. Frozen. Made by `Candidate.ofWire`; the constructor throws
 * `inexact_candidate` for any other number, so that a text can never say something else than its value.
 */
export class WireNumber {
  readonly #isMade: boolean = true
  readonly text: string
  readonly value: number

  constructor(text: string, value: number) {
    const read = typeof text === 'string' ? readDecimal(text) : undefined
    if (read?.kind !== 'text' || !Object.is(read.value, value)) {
      throw new CallgateError('inexact_candidate', 'A WireNumber keeps a JSON number that its double does not print back; use the number itself.')
    }
    this.text = text
    this.value = value
    Object.freeze(this)
  }

  /** Tells a genuine WireNumber from what looks like one, proxies and subclasses included. */
  static isWireNumber(value: unknown): value is WireNumber {
    return typeof value === 'object' && value !== null && #isMade in value && Object.getPrototypeOf(value) === WireNumber.prototype
  }
}
