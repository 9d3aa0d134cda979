/** The part of an `AbortSignal` that the core uses, so that it needs no platform's types. */
export type StopSignal = {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}
