// The import table of the house: who may enter whom. ARCHITECTURE.md says why; test/architecture.test.ts plants a breach of each.

const PACKAGES = '(?:core|gates-file|analysis|gateway|bench|(?:policies|stores|adapters|examples)/[^/]+)'
const MIDDLE = '(?:gates-file|analysis|(?:policies|stores|adapters)/[^/]+)'
const TESTS = '\\.(?:test|fixture)\\.ts$'
const BY_NAME = ['undetermined', 'npm', 'aliased', 'aliased-workspace']

/** For each room of the core, the rooms it may import. */
export const CORE_ROOMS = {
  model: [],
  kernel: ['model'],
  gates: ['model'],
  holds: ['model'],
  record: ['model'],
  ports: ['model', 'gates', 'holds', 'record'],
  gatekeeper: ['model', 'kernel', 'gates', 'holds', 'record', 'ports'],
  policies: ['model'],
  wire: ['model'],
  local: ['model', 'gates', 'holds', 'record', 'ports'],
  testing: ['model', 'kernel', 'gates', 'holds', 'record', 'ports', 'gatekeeper', 'policies', 'local'],
}

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })

const roomRules = Object.entries(CORE_ROOMS)
  .filter(([room]) => room !== 'policies')
  .map(([room, allowed]) =>
    rule(
      `core-${room}`,
      `core/src/${room} may import ${allowed.length === 0 ? 'nothing else of the core' : `only ${allowed.join(', ')}`}.`,
      { path: `^core/src/${room}/`, pathNot: TESTS },
      { path: '^core/src/', pathNot: `^core/src/(?:${[room, ...allowed].join('|')})/` },
    ),
  )

const innerRules = [
  ...roomRules,
  rule('core-policies', 'A policy imports the model, never another policy.',
    { path: '^core/src/policies/([^/]+)/', pathNot: TESTS },
    { path: '^core/src/', pathNot: '^core/src/(?:model|policies/$1)/' }),
  rule('core-ports-types', 'Ports are interfaces: they take only types from gates, holds and record.',
    { path: '^core/src/ports/', pathNot: TESTS },
    { path: '^core/src/(?:gates|holds|record)/', dependencyTypesNot: ['type-only'] }),
  rule('core-entries', 'The main entry leaves local, testing and wire to their own entries.',
    { path: '^core/src/index\\.ts$' },
    { path: '^core/src/(?:local|testing|wire)/' }),
  rule('core-no-platform', 'The core is pure: node is imported by local and the digest alone.',
    { path: '^core/src/', pathNot: ['^core/src/local/', '^core/src/model/digest\\.ts$', TESTS] },
    { dependencyTypes: ['core'] }),
  rule('core-no-packages', 'The core has no third-party dependency.',
    { path: '^core/src/', pathNot: TESTS },
    { path: 'node_modules/' }),
  rule('one-crypto', 'node:crypto is imported in core/src/model/digest.ts only.',
    { path: `^${PACKAGES}/`, pathNot: ['^core/src/model/digest\\.ts$', TESTS] },
    { path: '^(?:node:)?crypto$', dependencyTypes: ['core'] }),
]

const layerRules = [
  rule('core-is-innermost', 'The core imports no other room of the house.',
    { path: '^core/' },
    { path: `^(?:${MIDDLE}|gateway|bench|examples|test|scripts)/` }),
  rule('siblings-are-strangers', 'Adapters, stores, policies, analysis and gates-file import the core alone.',
    { path: `^(${MIDDLE})/` },
    { path: `^(?:${PACKAGES}|test|scripts)/`, pathNot: '^(?:$1|core)/' }),
  rule('gateway-looks-inward', 'The gateway imports inward only.',
    { path: '^gateway/' },
    { path: '^(?:bench|examples|test|scripts)/' }),
  rule('entered-by-name', 'A package is entered by its name, never by a path.',
    { path: `^(${PACKAGES}|test|scripts)/` },
    { path: `^${PACKAGES}/`, pathNot: '^$1/', dependencyTypes: ['local'], dependencyTypesNot: ['aliased-workspace'] }),
  rule('home-by-path', 'Inside a package imports are relative, so that mutants and scratch copies are what is tested.',
    { path: `^(${PACKAGES})/`, pathNot: TESTS },
    { path: '^$1/', pathNot: 'node_modules/', dependencyTypes: BY_NAME }),
]

const hygieneRules = [
  rule('no-cycles', 'No cycles, type-only ones included.', {}, { circular: true }),
  rule('resolvable', 'Every import resolves.', {}, { couldNotResolve: true }),
  rule('tests-are-leaves', 'Nothing but a test imports a test or a fixture.',
    { pathNot: [TESTS, '^test/'] },
    { path: TESTS }),
  rule('testing-is-for-tests', '@callgate/core/testing is imported by tests only.',
    { path: `^${PACKAGES}/`, pathNot: [TESTS, '^core/src/testing/'] },
    { path: '^core/src/testing/' }),
  rule('declared-packages', 'What ships imports only what its own package.json declares for production.',
    { path: `^${PACKAGES}/`, pathNot: TESTS },
    { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] }),
]

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [...layerRules, ...innerRules, ...hygieneRules],
  options: {
    exclude: { path: '^(?!.*node_modules/).*(?:^|/)(?:dist|bin|coverage|\\.stryker-tmp)/' },
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['callgate-source', 'import', 'node', 'types', 'default'],
      extensions: ['.ts', '.mjs', '.js', '.json'],
    },
  },
}
