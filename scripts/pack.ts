import { join } from 'node:path'
import { runProgram } from './run-tool.ts'
import { readPackages } from './workspace.ts'

/** A packed package: what `npm pack` wrote, and the paths inside it. */
export type Tarball = { readonly name: string; readonly folder: string; readonly path: string; readonly files: readonly string[] }

type PackReport = { readonly name: string; readonly filename: string; readonly files: readonly { readonly path: string }[] }

/** Packs every published package of `root`, which must be built, into `target`. */
export async function packAll(root: string, target: string): Promise<readonly Tarball[]> {
  const packages = readPackages(root)
  const args = ['pack', '--json', '--pack-destination', target, ...packages.flatMap(({ folder }) => ['-w', folder])]
  const { code, stdout, stderr } = await runProgram(root, 'npm', args)
  if (code !== 0) throw new Error(`npm pack ended with ${code}: ${stderr}`)
  const reports = readReports(stdout)
  return packages.map(({ folder, manifest }) => {
    const report = reports.find(({ name }) => name === manifest.name)
    if (report === undefined) throw new Error(`npm pack did not report ${manifest.name}: ${stdout}`)
    return { name: manifest.name, folder, path: join(target, report.filename), files: report.files.map(({ path }) => path) }
  })
}

// npm 10 prints a list, npm 11 prints a list or a map by name
function readReports(stdout: string): readonly PackReport[] {
  const parsed = JSON.parse(stdout) as readonly PackReport[] | Readonly<Record<string, PackReport>>
  return Object.values(parsed)
}
