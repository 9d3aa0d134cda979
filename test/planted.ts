/** A breach written into a scratch copy: the file, its text, and the rule that must name that file. */
export type Plant = { readonly rule: string; readonly file: string; readonly text: string }

const doc = '/** Planted. */\n'
const model = (name: string): string => `core/src/model/planted-${name}.ts`
const lines = (count: number, line: string): string => `${line}\n`.repeat(count)

/** Breaches of the compiler's settings. */
export const TYPE_PLANTS: readonly Plant[] = [
  { rule: 'TS9007', file: model('inferred'), text: `${doc}export function planted() { return Math.max(1, 2) }\n` },
  { rule: 'TS2322', file: model('index'), text: `${doc}export function planted(list: readonly string[]): string { return list[0] }\n` },
  { rule: 'TS2375', file: model('optional'), text: `${doc}export const planted: { readonly a?: string } = { a: undefined }\n` },
  { rule: 'TS2591', file: model('process'), text: `${doc}export const planted: string = process.cwd()\n` },
  { rule: 'TS2584', file: model('console'), text: `${doc}export function planted(): void { console.log('planted') }\n` },
  { rule: 'TS2304', file: model('timer'), text: `${doc}export function planted(): void { setTimeout(() => undefined, 1) }\n` },
  { rule: 'TS1294', file: model('enum'), text: `${doc}export enum Planted { A }\n` },
  { rule: 'TS6307', file: model('local'), text: `${doc}export { local } from '../local/local.ts'\n` },
  { rule: 'TS6307', file: 'gates-file/src/planted-gateway.ts', text: `${doc}export {} from '../../gateway/src/index.ts'\n` },
]

/** Breaches of `.oxlintrc.json`. */
export const LINT_PLANTS: readonly Plant[] = [
  { rule: 'eslint(no-restricted-globals)', file: model('date'), text: `${doc}export const planted = (): number => Date.now()\n` },
  { rule: 'eslint(no-restricted-globals)', file: model('new-date'), text: `${doc}export const planted = (): object => new Date()\n` },
  { rule: 'eslint(no-restricted-globals)', file: model('performance'), text: `${doc}export const planted = (): number => performance.now()\n` },
  { rule: 'eslint(no-restricted-globals)', file: model('timeout'), text: `${doc}export const planted = (): unknown => setTimeout(() => 1, 1)\n` },
  { rule: 'eslint(no-restricted-globals)', file: model('web-crypto'), text: `${doc}export const planted = (): string => crypto.randomUUID()\n` },
  { rule: 'eslint(no-restricted-globals)', file: model('global'), text: `${doc}export const planted = (): unknown => globalThis\n` },
  { rule: 'eslint(no-restricted-properties)', file: model('random'), text: `${doc}export const planted = (): number => Math.random()\n` },
  { rule: 'eslint(no-console)', file: model('log'), text: `${doc}export const planted = (): void => console.log(1)\n` },
  { rule: 'eslint(max-lines)', file: model('long-file'), text: lines(301, 'export {}') },
  {
    rule: 'eslint(max-lines-per-function)', file: model('long-function'),
    text: `${doc}export function planted(): number {\n  let n = 0\n${lines(60, '  n += 1')}  return n\n}\n`,
  },
  { rule: 'import(no-default-export)', file: model('default'), text: `export default 1\n` },
  { rule: 'typescript(no-explicit-any)', file: model('any'), text: `${doc}export const planted = (a: any): unknown => a\n` },
  { rule: 'typescript(no-namespace)', file: model('namespace'), text: `${doc}export namespace Planted { export const a = 1 }\n` },
  { rule: 'typescript(ban-ts-comment)', file: model('ignore'), text: `// @ts-ignore\nexport const planted: string = 1\n` },
  { rule: 'typescript(no-non-null-assertion)', file: model('bang'), text: `${doc}export const planted = (a?: string): string => a!\n` },
  {
    rule: 'typescript(no-floating-promises)', file: model('floating'),
    text: `${doc}export function planted(a: Promise<void>): void {\n  a.then(() => undefined)\n}\n`,
  },
  {
    rule: 'typescript(switch-exhaustiveness-check)', file: model('switch'),
    text: `${doc}export function planted(a: 'x' | 'y'): number {\n  switch (a) {\n    case 'x':\n      return 1\n  }\n  return 2\n}\n`,
  },
  { rule: 'eslint(no-warning-comments)', file: model('later'), text: `// ${'TO' + 'DO'}: later\nexport {}\n` },
  { rule: 'unicorn(filename-case)', file: 'core/src/model/plantedName.ts', text: 'export {}\n' },
  { rule: 'vitest(no-focused-tests)', file: 'core/src/model/planted-only.test.ts', text: only('only') },
  { rule: 'vitest(no-disabled-tests)', file: 'core/src/model/planted-skip.test.ts', text: only('skip') },
]

/** Breaches of `.dependency-cruiser.mjs`; the rule `core-<room>` of each room is planted by the test itself. */
export const IMPORT_PLANTS: readonly Plant[] = [
  { rule: 'core-is-innermost', file: 'core/src/model/planted-outward.ts', text: imports('../../../gates-file/src/index.ts') },
  { rule: 'siblings-are-strangers', file: 'gates-file/src/planted-sibling.ts', text: imports('@callgate/schema-typist') },
  { rule: 'siblings-are-strangers', file: 'stores/sqlite/src/planted-outward.ts', text: imports('callgate') },
  { rule: 'gateway-looks-inward', file: 'gateway/src/planted-outward.ts', text: imports('../../test/planted.ts') },
  { rule: 'entered-by-name', file: 'gateway/src/planted-path.ts', text: imports('../../core/src/index.ts') },
  { rule: 'entered-by-name', file: 'test/planted-path.ts', text: imports('../core/src/index.ts') },
  { rule: 'home-by-path', file: 'core/src/kernel/planted-name.ts', text: imports('@callgate/core') },
  { rule: 'core-policies', file: 'core/src/policies/planted-policy/planted.ts', text: imports('../primitive-typist/primitive-schema.ts') },
  { rule: 'core-ports-types', file: 'core/src/ports/planted-value.ts', text: imports('../holds/transition-hold.ts') },
  { rule: 'core-no-platform', file: 'core/src/model/planted-node.ts', text: imports('node:fs') },
  { rule: 'one-crypto', file: 'gateway/src/planted-crypto.ts', text: imports('node:crypto') },
  { rule: 'one-crypto', file: 'core/src/local/planted-crypto.ts', text: imports('node:crypto') },
  { rule: 'no-cycles', file: 'core/src/model/planted-a.ts', text: `import type { B } from './planted-b.ts'\n${doc}export type A = B\n` },
  {
    rule: 'core-no-packages', file: 'core/src/model/planted-b.ts',
    text: `import type { A } from './planted-a.ts'\n${imports('yaml')}${doc}export type B = A | 1\n`,
  },
  { rule: 'resolvable', file: 'gateway/src/planted-nowhere.ts', text: imports('@callgate/core/nowhere') },
  { rule: 'tests-are-leaves', file: 'gateway/src/planted-test.ts', text: imports('../../core/src/model/planted-only.test.ts') },
  { rule: 'testing-is-for-tests', file: 'gateway/src/planted-testing.ts', text: imports('@callgate/core/testing') },
  { rule: 'declared-packages', file: 'gates-file/src/planted-undeclared.ts', text: imports('vitest') },
]

/** Breaches that knip sees: a file, an export and a package that nothing uses, and a package that nothing declares. */
export const UNUSED_PLANTS: readonly Plant[] = [
  { rule: 'files', file: 'gates-file/src/planted-alone.ts', text: 'export {}\n' },
  { rule: 'exports', file: 'gates-file/src/planted-half.ts', text: `${doc}export const planted = 1\n${doc}export const unused = 2\n` },
  {
    rule: 'unlisted', file: 'gates-file/src/planted.test.ts',
    text: "import { planted } from './planted-half.ts'\nimport colors from 'picocolors'\ncolors.red(`${planted}`)\n",
  },
]

/** Breaches of the doc comment rule. */
export const DOC_PLANTS: readonly Plant[] = [
  { rule: 'docstring', file: model('silent'), text: 'export const planted = 1\n' },
  { rule: 'docstring', file: model('silent-function'), text: 'export function planted(): void {}\n' },
  { rule: 'docstring', file: model('silent-type'), text: '// not a doc comment\nexport type Planted = 1\n' },
  { rule: 'docstring', file: model('empty'), text: '/** */\nexport const planted = 1\n' },
  { rule: 'export-star', file: model('star'), text: `export * from './planted-silent.ts'\n` },
  { rule: 'export-star', file: model('named-star'), text: `export * as planted from './planted-silent.ts'\n` },
]

/** Breaches of the bounds on files: one file too long, and enough long ones to move the median and the 95 % mark. */
export const SIZE_PLANTS: readonly Plant[] = [
  { rule: 'file-lines', file: 'gateway/src/planted-301.ts', text: lines(301, '// planted') },
]

function imports(specifier: string): string {
  return `import * as planted from '${specifier}'\nexport { planted }\n`
}

function only(word: string): string {
  return `import { test } from 'vitest'\n${['test', word].join('.')}('planted', () => undefined)\n`
}
