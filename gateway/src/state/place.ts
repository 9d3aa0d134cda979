/** Where a command runs: environment, current folder, home folder, and the user's id where the platform has one. */
export type Place = {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly home: string
  readonly uid: number | undefined
  readonly username: string
}
