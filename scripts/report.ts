import type { Finding } from './finding.ts'

/** Prints what a guard found, one line each, or that it found nothing; returns the exit code, 1 where it found something. */
export function report(guard: string, findings: readonly Finding[]): number {
  for (const { rule, file, message } of findings) console.log(`${guard}: ${file}: ${message} (${rule})`)
  if (findings.length === 0) console.log(`${guard}: ok`)
  return findings.length === 0 ? 0 : 1
}
