import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { readPeakMemory } from './peak-memory.ts'

/** How a command of callgate went: seconds, the peak of its resident memory in MiB, its exit code, what it printed. */
export type CommandFigures = { readonly seconds: number; readonly peakMib: number; readonly code: number; readonly stdout: string }

const SAMPLE_MS = 20

/** Runs a command of callgate as its user would, in a process of its own. */
export async function runCallgate(args: readonly string[]): Promise<CommandFigures> {
  const bin = fileURLToPath(new URL('../bin/callgate.js', import.meta.resolve('callgate')))
  const start = performance.now()
  const child = spawn(process.execPath, [bin, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  let stdout = ''
  let peakMib = 0
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  // The kernel keeps the peak only while the process lives.
  const timer = setInterval(() => {
    const now = readPeakMemory(child.pid ?? 0)
    if (now > peakMib) peakMib = now
  }, SAMPLE_MS)
  try {
    const [code] = (await once(child, 'close')) as [number | null]
    return { seconds: (performance.now() - start) / 1_000, peakMib, code: code ?? -1, stdout }
  } finally {
    clearInterval(timer)
  }
}
