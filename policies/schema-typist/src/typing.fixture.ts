import { Attempt, Candidate } from '@callgate/core'
import type { AttemptEvent, AttemptPhase, Proposal } from '@callgate/core'
import { ArgumentsSchema } from './arguments-schema.ts'
import { SchemaTypistPolicy } from './schema-typist-policy.ts'
import type { SchemaTypistOptions } from './schema-typist-policy.ts'

/** An object schema with the given properties. */
export function objectSchema(properties: unknown, more: Readonly<Record<string, unknown>> = {}): ArgumentsSchema {
  return schemaOf({ type: 'object', properties, ...more })
}

export function schemaOf(inputSchema: unknown): ArgumentsSchema {
  return ArgumentsSchema.create({ schemaId: 'tool', version: '1', inputSchema })
}

export function strict(options: Partial<SchemaTypistOptions> = {}): SchemaTypistPolicy {
  return new SchemaTypistPolicy({ mode: 'strict', ...options })
}

export function attemptOf(
  schema: ArgumentsSchema | undefined,
  args: unknown,
  { phase = 'pre', event = 'tool.call' }: { readonly phase?: AttemptPhase; readonly event?: AttemptEvent } = {},
): Attempt {
  const candidate = args instanceof Candidate ? args : Candidate.ofArguments(args)
  return Attempt.create({ phase, event, target: { adapter: 'test', tool: 'tool' }, candidate, schema })
}

export function propose(schema: ArgumentsSchema | undefined, args: unknown, options: Partial<SchemaTypistOptions> = {}): Proposal {
  return strict(options).evaluate(attemptOf(schema, args))
}

/** A proposal in few words: its kind, the arguments it repairs to, its codes and pointers. */
export function said(proposal: Proposal): unknown {
  switch (proposal.kind) {
    case 'repair':
      return { repair: proposal.candidate.fields['arguments'], reasons: proposal.reasons.map(({ code, pointer }) => `${code} ${pointer}`) }
    case 'deny':
    case 'observe':
      return { [proposal.kind]: proposal.reasons.map(({ code, pointer }) => `${code} ${pointer}`) }
    default:
      return proposal.kind
  }
}

/** What the model reads of a denial, a line a fault. */
export function messages(proposal: Proposal): readonly string[] {
  return proposal.kind === 'deny' ? proposal.reasons.map(({ message }) => message ?? '') : []
}
