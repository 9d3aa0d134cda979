// Prints "N passed, N failed" from vitest's JSON report, and exits non-zero unless all ran and passed.
// A test file that broke before its tests counts as one failure, and so does a command that failed without naming one.
import { readFileSync } from 'node:fs'

const [status, reportPath] = process.argv.slice(2)
const report = readReport(reportPath)
const files = report?.testResults ?? []
const broken = files.filter((file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'))
const passed = report?.numPassedTests ?? 0
const named = (report?.numFailedTests ?? 0) + broken.length
const failed = named === 0 && (status !== '0' || passed === 0) ? 1 : named

console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}
