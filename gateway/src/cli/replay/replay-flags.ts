/** The flags of `callgate replay`. */
export type ReplayFlags = {
  readonly gates: string
  readonly tools?: string
  readonly each?: boolean
  readonly json?: boolean
  readonly fail?: boolean
  readonly hold: 'block' | 'allow'
  readonly html?: string
}
