const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const

/** A span of milliseconds for a person, in its largest whole unit: `9m`, `30s`; below a second `0s`. */
export function spanText(ms: number): string {
  const [unit, size] = UNITS.find(([, ms1]) => ms >= ms1) ?? ['s', 1_000]
  return `${Math.floor(ms / size)}${unit}`
}

/** A moment for a person, in UTC to the second. */
export function momentText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')}Z`
}
