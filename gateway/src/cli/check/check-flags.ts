/** The flags of `callgate check`. */
export type CheckFlags = {
  readonly tools?: string
  readonly server?: boolean
  readonly schema?: boolean
  readonly json?: boolean
}
