#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const main = new URL('../dist/cli/main.js', import.meta.url)

if (existsSync(fileURLToPath(main))) {
  const { runCli } = await import(main.href)
  process.exitCode = await runCli(process.argv.slice(2))
} else {
  process.stderr.write('callgate: not built yet (no dist folder). Run `npm run build` in the repository first.\n')
  process.exitCode = 2
}
