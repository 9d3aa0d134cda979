import { setTimeout as sleep } from 'node:timers/promises'
import type { GateRules } from '@callgate/core'

const MAX_WARNINGS = 20
// The first call waits for its answer at that moment; nobody waits for this.
const LATER_MS = 250

/**
 * Says at the first whole listing which names in the rules the server does not have, which patterns are about none of its
 * tools, and which of its tools only look like a named one: a rule about them never holds. Loaded when it is wanted; never rejects.
 */
export async function reportTools(gates: GateRules, names: readonly string[], log: (line: string) => void): Promise<void> {
  await sleep(LATER_MS, undefined, { ref: false })
  try {
    const { checkTools } = await import('@callgate/analysis')
    const findings = checkTools(gates, names.map((name) => ({ name }))).filter(({ code }) => code !== 'pattern_matches_all')
    for (const { pointer, message, hint } of findings.slice(0, MAX_WARNINGS)) {
      log(`warning: the gates file${lineOf(gates, pointer)}: ${message}${hint === undefined ? '' : `; ${hint}`}`)
    }
    if (findings.length > MAX_WARNINGS) log(`warning: ${findings.length} names in the gates file are doubtful; callgate check --server lists them`)
  } catch (error) {
    log(`the names in the gates file could not be compared with the server's tools: ${String(error)}`)
  }
}

/** Where the item of a pointer stands, in the rules' own lines; nothing for a name that is no part of an item. */
function lineOf({ rules, marks = [], limits = [] }: GateRules, pointer: string): string {
  const [, , list, at] = pointer.split('/')
  const items = list === 'rules' ? rules : list === 'marks' ? marks : list === 'limits' ? limits : []
  const line = items[Number(at)]?.line
  return line === undefined ? '' : `, line ${line}`
}
