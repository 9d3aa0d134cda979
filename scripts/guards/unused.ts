import type { Finding } from '../finding.ts'
import { runTool } from '../run-tool.ts'

type Issue = { readonly name?: string }
type Row = { readonly file: string } & Readonly<Record<string, readonly Issue[] | string>>

/** Runs knip: files nobody imports, exports nobody reads, dependencies nobody declared or uses. */
export async function checkUnused(root: string): Promise<readonly Finding[]> {
  const { code, stdout, stderr } = await runTool(root, 'knip', 'knip', ['--reporter', 'json', '--no-progress'])
  if (!stdout.startsWith('{')) throw new Error(`knip ended with ${code} and printed no report: ${stdout}${stderr}`)
  const { issues } = JSON.parse(stdout) as { readonly issues: readonly Row[] }
  return issues.flatMap((row) =>
    Object.entries(row).flatMap(([rule, found]) =>
      typeof found === 'string' ? [] : found.map(({ name = '' }) => ({ rule, file: row.file, message: name })),
    ),
  )
}
