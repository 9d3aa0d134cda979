/**
 * A number from the wire whose decimal value its double does not print back (contract 2): forwarded, compared and
 * digested by `text`, seen by rules and validators as `value`. Frozen; made by `Candidate.ofWire` only.
 */
export class WireNumber {
  readonly text: string
  readonly value: number

  constructor(text: string, value: number) {
    this.text = text
    this.value = value
    Object.freeze(this)
  }
}
