import type { Attempt } from '../../model/attempt.ts'
import { Candidate } from '../../model/candidate.ts'
import type { JsonValue } from '../../model/json-value.ts'
import type { Policy, Proposal } from '../../model/policy.ts'
import { denialMessage } from './denial-message.ts'
import { judgePrimitive } from './judge-primitive.ts'
import { PrimitiveSchema } from './primitive-schema.ts'

const FIELD = 'argument'
const ABSTAIN: Proposal = Object.freeze({ kind: 'abstain' })

/**
 * Admits one primitive argument against a `PrimitiveSchema`, with two casts and no other (contract 7): a canonical
 * integer text, and `true`/`false` where the schema opts in. Without its schema or its one field it abstains.
 */
export class PrimitiveTypistPolicy implements Policy {
  readonly id: string = 'primitive-typist'
  readonly version: string = '1'
  readonly owns: readonly string[] = Object.freeze([FIELD])

  evaluate(attempt: Attempt): Proposal {
    const { schema, candidate } = attempt
    if (!PrimitiveSchema.isGenuine(schema) || !isSingleArgument(candidate.fields)) return ABSTAIN
    const argument = candidate.fields[FIELD]
    switch (`${attempt.phase}:${attempt.event}`) {
      case 'pre:tool.call':
        return propose(schema, argument)
      case 'post:tool.failure':
        return judgePrimitive(schema, argument).kind === 'repair'
          ? { kind: 'observe', reasons: [{ code: 'safe_cast_available' }] }
          : ABSTAIN
      default:
        return ABSTAIN
    }
  }
}

function propose(schema: PrimitiveSchema, argument: JsonValue | undefined): Proposal {
  const verdict = judgePrimitive(schema, argument)
  switch (verdict.kind) {
    case 'accept':
      return { kind: 'accept' }
    case 'repair':
      return { kind: 'repair', candidate: Candidate.of({ [FIELD]: verdict.value }), reasons: [{ code: verdict.code }] }
    case 'deny': {
      const { code } = verdict
      return { kind: 'deny', reasons: [{ code, message: denialMessage(schema, argument, code), pointer: `/${FIELD}` }] }
    }
  }
}

function isSingleArgument(fields: Readonly<Record<string, unknown>>): boolean {
  const names = Object.keys(fields)
  return names.length === 1 && names[0] === FIELD
}
