import type { Finding } from '../finding.ts'
import { runTool } from '../run-tool.ts'

/** Builds all projects with `tsc -b`, then checks the tests: strictness, project references, the core's own platform-free library. */
export async function checkTypes(root: string): Promise<readonly Finding[]> {
  const built = await compile(root, ['-b'])
  return built.length > 0 ? built : compile(root, ['-p', 'tsconfig.tests.json', '--noEmit'])
}

/** Only the build: what `tsc -b` says, one finding an error. */
export function buildAll(root: string): Promise<readonly Finding[]> {
  return compile(root, ['-b'])
}

async function compile(root: string, args: readonly string[]): Promise<readonly Finding[]> {
  const { code, stdout, stderr } = await runTool(root, 'typescript', 'tsc', [...args, '--pretty', 'false'])
  const findings = [...stdout.matchAll(/^(?:(.+?)\(\d+,\d+\): )?error (TS\d+): (.*)$/gm)].map(([, file, rule, message]) => ({
    rule: rule ?? '', file: file ?? '', message: message ?? '',
  }))
  if (code !== 0 && findings.length === 0) throw new Error(`tsc ended with ${code} and named no error: ${stdout}${stderr}`)
  return findings
}
