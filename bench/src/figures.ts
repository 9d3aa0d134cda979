/** The value at a share (0 to 1) of sorted values, by the nearest rank; NaN where there are none. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

/** The median of the finite values, by the nearest rank; NaN where there are none. */
export function median(values: readonly number[]): number {
  return quantile(values.filter(Number.isFinite).toSorted((a, b) => a - b), 0.5)
}
