/** Tells which call the code that runs now belongs to, across awaits: `session.mark` inside `run` counts for that call only. */
export type CallScope = {
  run<T>(call: object, body: () => T): T
  current(): object | undefined
}
