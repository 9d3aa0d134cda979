import { AdmissionKernel, Attempt, Candidate } from '@callgate/core'
import type { AdapterDeclaration } from '@callgate/core'
import { ArgumentsSchema, SchemaTypistPolicy } from '@callgate/schema-typist'
import { INPUT_SCHEMA } from './inputs.ts'
import type { TypingEntrant } from './peers.ts'
import type { Tier } from './tiers.ts'

const ADAPTER: AdapterDeclaration = {
  id: 'bench', version: '1', lifecycle: ['pre:tool.call'], identity: true, completeCandidate: true,
  effects: { deny: true, replace: true, hold: false, observe: true },
}
const TARGET = { adapter: 'bench', tool: 'search' }

/** A whole admission in one tier: exact copy, freeze, attempt, policies, and of a repair the second evaluation. */
export function ours(mode: Tier): TypingEntrant {
  return {
    name: `callgate, ${mode}`,
    readerOf() {
      const kernel = new AdmissionKernel([new SchemaTypistPolicy({ mode, lowercaseBooleans: true })])
      const schema = ArgumentsSchema.create({ schemaId: 'search', version: '1', inputSchema: INPUT_SCHEMA })
      return (sent) => {
        const candidate = Candidate.ofArguments(sent)
        const decision = kernel.admit(Attempt.create({ phase: 'pre', event: 'tool.call', target: TARGET, candidate, schema }), ADAPTER)
        if (decision.verdict !== 'run') throw new Error(`callgate refuses: ${decision.message}`)
        return decision.candidate.fields['arguments']
      }
    },
  }
}
