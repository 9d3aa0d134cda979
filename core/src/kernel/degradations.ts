import { exceededBound } from '../model/budget.ts'
import { canonicalJson } from '../model/canonical.ts'
import type { Question } from '../model/decision.ts'
import type { Change } from '../model/pointer.ts'
import type { DecisionReason } from '../model/reason.ts'
import { kernelReason } from './kernel-reason.ts'
import type { AdapterReading } from './read-adapter.ts'

const SHOWN_CHANGES = 5
const SHOWN_BYTES = 100

/** The denials that a repair or a hold degrades to where the adapter cannot enact it (contract 5.6). */
export function degradations(changes: readonly Change[], questions: readonly Question[], adapter: AdapterReading): readonly DecisionReason[] {
  const reasons: DecisionReason[] = []
  if (changes.length > 0 && !adapter.canReplace) {
    const more = changes.length > SHOWN_CHANGES ? `, and ${changes.length - SHOWN_CHANGES} more` : ''
    const wanted = `${changes.slice(0, SHOWN_CHANGES).map(wordsOf).join(', ')}${more}`
    reasons.push(kernelReason('cannot_replace', `The arguments must change and cannot be changed here. Call again with ${wanted}.`))
  }
  if (questions.length > 0 && !adapter.canHold) {
    const asked = questions.map(({ question }) => `"${question}"`).join(', ')
    reasons.push(kernelReason('cannot_hold', `A person would have to answer ${asked}, and no call can be held here.`))
  }
  return reasons
}

function wordsOf({ pointer, after }: Change): string {
  if (after === undefined) return `no ${pointer}`
  const isShort = exceededBound([after], { bytes: SHOWN_BYTES, depth: SHOWN_BYTES }) === undefined
  return isShort ? `${pointer} as ${canonicalJson(after)}` : `another ${pointer}`
}
