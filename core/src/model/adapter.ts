/** A phase and event of contract 4, as adapters declare them. */
export type LifecycleEvent = 'pre:tool.call' | 'post:tool.success' | 'post:tool.failure'

/** What an adapter claims it can see and enact (contract 6); `certify` proves it. */
export type AdapterDeclaration = {
  readonly id: string
  readonly version: string
  readonly lifecycle: readonly LifecycleEvent[]
  readonly effects: {
    readonly deny: boolean
    readonly replace: boolean
    readonly hold: boolean
    readonly observe: boolean
  }
  readonly identity: boolean
  readonly completeCandidate: boolean
}
