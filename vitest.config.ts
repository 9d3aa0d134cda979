import { defineConfig } from 'vitest/config'

const conditions = ['callgate-source', 'node', 'import', 'module', 'default']

export default defineConfig({
  tsconfig: 'tsconfig.base.json',
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', '**/.stryker-tmp/**'],
    testTimeout: 20_000,
    reporters: ['default', ['json', { outputFile: 'reports/tests.json' }]],
  },
})
