#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const main = new URL('../dist/bundle/main.js', import.meta.url)
const surroundings = new URL('../dist/bundle/surroundings.js', import.meta.url)

// Libraries that read these write their traces to stdout, which is the answer's or the MCP client's. The server still gets them.
const env = { ...process.env }
for (const name of ['RUST_LOG', 'LOG_STREAM', 'LOG_TOKENS']) delete process.env[name]

if (existsSync(fileURLToPath(main))) {
  const { runCli } = await import(main.href)
  const { systemSurroundings } = await import(surroundings.href)
  process.exitCode = await runCli(process.argv.slice(2), { ...systemSurroundings(), env })
} else {
  process.stderr.write('callgate: not built yet (no dist folder). Run `npm run build` in the repository first.\n')
  process.exitCode = 2
}
