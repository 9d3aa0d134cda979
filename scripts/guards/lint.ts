import type { Finding } from '../finding.ts'
import { runTool } from '../run-tool.ts'

type Diagnostic = { readonly code?: string; readonly message: string; readonly filename: string }
type Report = { readonly diagnostics: readonly Diagnostic[]; readonly number_of_files: number }

/** Runs oxlint with `.oxlintrc.json`, rules about types included; rejects where it saw no file. */
export async function checkLint(root: string): Promise<readonly Finding[]> {
  const { code, stdout, stderr } = await runTool(root, 'oxlint', 'oxlint', ['-f', 'json'])
  if (!stdout.trimStart().startsWith('{')) throw new Error(`oxlint ended with ${code} and printed no report: ${stdout}${stderr}`)
  const report = JSON.parse(stdout) as Report
  if (report.number_of_files === 0) throw new Error('oxlint saw no file: check ignorePatterns in .oxlintrc.json')
  return report.diagnostics.map(({ code: rule = 'oxlint', filename, message }) => ({ rule, file: filename, message }))
}
