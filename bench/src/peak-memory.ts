import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** The most resident memory of a process in MiB so far; elsewhere than on Linux what it holds now. NaN where neither is told. */
export function readPeakMemory(pid: number): number {
  try {
    const kib = process.platform === 'linux' ? highWaterMark(pid) : Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }))
    return kib / 1024
  } catch {
    return Number.NaN
  }
}

function highWaterMark(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN)
}
