import { CONFIRM_GATE } from '@callgate/core'
import type { GateRules } from '@callgate/core'
import type { Finding } from './finding.ts'
import { showName } from './show-name.ts'

/** What the marks of one gate carry. */
type Carried = { keys: boolean; facts: boolean; keyedFacts: boolean }

/** Finds rules that ask for keys or facts which no mark carries, and keys that no rule asks for. */
export function checkKeys({ rules, marks = [], external = [] }: GateRules): readonly Finding[] {
  const hosts = new Set(external)
  const carried = new Map<string, Carried>()
  for (const { gate, keys, keep, clear } of marks) {
    if (clear === true) continue
    const known = carried.get(gate) ?? { keys: false, facts: false, keyedFacts: false }
    carried.set(gate, known)
    known.keys ||= keys !== undefined
    known.facts ||= keep !== undefined
    known.keyedFacts ||= keys !== undefined && keep !== undefined
  }
  const unmet = rules.flatMap(({ gate, key, require }, at): readonly Finding[] => {
    const known = carried.get(gate)
    // What the host's own code marks is not known here; a gate that nothing marks is another finding.
    if (gate === CONFIRM_GATE || hosts.has(gate) || known === undefined) return []
    const hasFact = key !== undefined && known.keys ? known.keyedFacts : known.facts
    const where = showName(gate)
    const noFact = known.facts
      ? lacking('no_fact_kept', `/gates/rules/${at}/require`, `no mark of ${where} keeps a fact under a key`, 'put `keys` and `keep` on one mark')
      : lacking('no_fact_kept', `/gates/rules/${at}/require`, `no mark of ${where} keeps a fact`, 'add `keep` to the mark, or remove `require`')
    return [
      ...(key !== undefined && !known.keys
        ? [lacking('no_keys_marked', `/gates/rules/${at}/key`, `no mark of ${where} carries keys`, 'add `keys` to the mark, or remove `key`')]
        : []),
      ...(require !== undefined && !hasFact ? [noFact] : []),
    ]
  })
  return [...unmet, ...unusedKeys({ rules, marks })]
}

function unusedKeys({ rules, marks = [] }: GateRules): readonly Finding[] {
  // A rule may join by the fact instead, as in `require: fact.id == args.id`.
  const asked = new Set(rules.filter(({ key, require }) => key !== undefined || require !== undefined).map(({ gate }) => gate))
  const used = new Set(rules.map(({ gate }) => gate))
  // Where a mark only tells whether something is so, keys say when: without any there is no mark.
  const conditions = new Set(rules.map(({ condition }) => condition))
  return marks.flatMap(({ gate, keys, clear }, at): readonly Finding[] => {
    if (keys === undefined || clear === true || asked.has(gate) || !used.has(gate) || conditions.has(gate)) return []
    const message = `the mark of ${showName(gate)} carries keys, and no rule asks for one: any of them opens it for all calls`
    return [{ code: 'unused_keys', severity: 'warning', pointer: `/gates/marks/${at}/keys`, message, hint: 'add `key` to the rule, or remove `keys`' }]
  })
}

function lacking(code: 'no_keys_marked' | 'no_fact_kept', pointer: string, what: string, hint: string): Finding {
  return { code, severity: 'error', pointer, message: `${what}: this rule can never be met`, hint }
}
