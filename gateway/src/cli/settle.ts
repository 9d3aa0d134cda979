/** Takes the exit code of a command that has ended. */
export type Settle = (code: number) => void
