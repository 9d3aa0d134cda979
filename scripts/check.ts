import type { Guard } from './finding.ts'
import { checkApi } from './guards/api.ts'
import { checkDocstrings } from './guards/docstrings.ts'
import { checkImports } from './guards/imports.ts'
import { checkLint } from './guards/lint.ts'
import { checkPackages } from './guards/packages.ts'
import { checkSizes } from './guards/sizes.ts'
import { checkTypes } from './guards/types.ts'
import { checkUnused } from './guards/unused.ts'
import { report } from './report.ts'

const GUARDS: readonly (readonly [string, Guard])[] = [
  ['tsc', checkTypes],
  ['oxlint', checkLint],
  ['imports', checkImports],
  ['docs', checkDocstrings],
  ['sizes', checkSizes],
  ['knip', checkUnused],
  ['packages', checkPackages],
  ['api', (root) => checkApi(root)],
]

for (const [name, guard] of GUARDS) {
  if (report(name, await guard(process.cwd())) !== 0) process.exitCode = 1
}
