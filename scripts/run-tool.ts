import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createRequire } from 'node:module'

/** What a tool printed and how it ended; `code` is -1 where a signal ended it. */
export type ToolRun = { readonly code: number; readonly stdout: string; readonly stderr: string }

const TIMEOUT_MS = 240_000
const require = createRequire(import.meta.url)

/** Runs one program to its end, at most four minutes; rejects only where it cannot be started. */
export function runProgram(cwd: string, program: string, args: readonly string[]): Promise<ToolRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env: { ...process.env, NO_COLOR: '1' }, timeout: TIMEOUT_MS })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? -1, stdout, stderr }))
  })
}

/** Runs a development dependency's command by its own version, whatever the folder it looks at. */
export function runTool(cwd: string, packageName: string, command: string, args: readonly string[]): Promise<ToolRun> {
  return runProgram(cwd, process.execPath, [binOf(packageName, command), ...args])
}

function binOf(packageName: string, command: string): string {
  const folder = (require.resolve.paths(packageName) ?? []).map((path) => join(path, packageName)).find((path) => existsSync(path))
  if (folder === undefined) throw new Error(`${packageName} is not installed: run npm ci`)
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { bin: string | Record<string, string> }
  const bin = typeof manifest.bin === 'string' ? manifest.bin : manifest.bin[command]
  if (bin === undefined) throw new Error(`${packageName} has no command ${command}: look at its package.json`)
  return join(dirname(join(folder, 'package.json')), bin)
}
