/** Rows as lines with aligned columns, two spaces apart; the last column is not padded. */
export function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const widths: number[] = []
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, length(cell))
  }
  return rows.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell + ' '.repeat((widths[column] ?? 0) - length(cell))))
      .join('  ')
      .trimEnd(),
  )
}

function length(text: string): number {
  return Array.from(text).length
}
