import type { Finding } from '../finding.ts'
import { runTool } from '../run-tool.ts'
import { readWorkspaces } from '../workspace.ts'

/** One import as dependency-cruiser resolved it: paths from the root. */
export type ImportEdge = { readonly from: string; readonly to: string }

/** What dependency-cruiser saw: the modules of the house, the imports among them, the breaches, and the names of the rules in force. */
export type ImportGraph = {
  readonly modules: readonly string[]
  readonly edges: readonly ImportEdge[]
  readonly findings: readonly Finding[]
  readonly rules: readonly string[]
}

type Cruise = {
  readonly modules: readonly { readonly source: string; readonly dependencies: readonly { readonly resolved: string }[] }[]
  readonly summary: {
    readonly violations: readonly { readonly from: string; readonly to: string; readonly rule: { readonly name: string } }[]
    readonly ruleSetUsed: { readonly forbidden: readonly { readonly name: string }[] }
  }
}

/** Reads every import of the workspaces, types included, and judges them by `.dependency-cruiser.mjs`. */
export async function readImports(root: string): Promise<ImportGraph> {
  const folders = [...new Set(readWorkspaces(root).map(({ folder }) => folder)), 'scripts', 'test']
  const args = ['--config', '.dependency-cruiser.mjs', '--output-type', 'json', ...folders]
  const { code, stdout, stderr } = await runTool(root, 'dependency-cruiser', 'depcruise', args)
  if (!stdout.startsWith('{')) throw new Error(`dependency-cruiser ended with ${code} and printed no graph: ${stdout}${stderr}`)
  const { modules, summary } = JSON.parse(stdout) as Cruise
  const own = modules.filter(({ source }) => folders.some((folder) => source.startsWith(`${folder}/`)))
  return {
    modules: own.map(({ source }) => source),
    edges: own.flatMap(({ source, dependencies }) => dependencies.map(({ resolved }) => ({ from: source, to: resolved }))),
    findings: summary.violations.map(({ from, to, rule }) => ({ rule: rule.name, file: from, message: `imports ${to}` })),
    rules: summary.ruleSetUsed.forbidden.map(({ name }) => name),
  }
}

/** The breaches of the import table; see ARCHITECTURE.md. */
export async function checkImports(root: string): Promise<readonly Finding[]> {
  return (await readImports(root)).findings
}
