import type { AttemptSchema, GateRules, Policy, Redactor } from '@callgate/core'
import type { SchemaTypistOptions } from '@callgate/schema-typist'
import type { ListedTool } from './read-listing.ts'

/** How arguments are looked at: the policies that type them, and the schema that a call of a tool carries for these and for the rules. */
export type ToolTyping = {
  readonly policies: readonly Policy[]
  /** Whether a policy reads arguments that arrive as one JSON text (contract 8: `flexible`). */
  readonly readsText: boolean
  /** Undefined where the tool has no input schema; throws `invalid_schema`. */
  schemaOf(tool: ListedTool, definition: string): AttemptSchema | undefined
}

/** True where a rule rests on arguments: then they must satisfy the tool's schema, whatever `typing` says (contract 9). */
export function looksAtArguments({ rules, marks = [], limits = [] }: GateRules): boolean {
  return (
    rules.some(({ key, require, when }) => (key ?? require ?? when) !== undefined) ||
    marks.some(({ keys, keep, failedWhen }) => (keys ?? keep ?? failedWhen) !== undefined) ||
    limits.some(({ sum }) => sum !== undefined)
  )
}

/**
 * Loads the typist, with the validator that it brings: whoever looks at no argument does not wait for it. Without `options`
 * nothing is typed, and schemas are there for the rules alone. What `redactor` covers no message shows. Rejects with what the
 * policy's constructor throws.
 */
export async function loadTyping(options: SchemaTypistOptions | undefined, redactor?: Redactor): Promise<ToolTyping> {
  const { ArgumentsSchema, SchemaTypistPolicy } = await import('@callgate/schema-typist')
  return {
    policies: options === undefined ? [] : [new SchemaTypistPolicy({ ...options, ...(redactor !== undefined && { redact: redactor.covers }) })],
    readsText: options?.mode === 'flexible',
    schemaOf({ name, inputSchema }, definition) {
      if (inputSchema === undefined) return undefined
      return ArgumentsSchema.create({ schemaId: name, version: definition, inputSchema: JSON.parse(inputSchema) as unknown })
    },
  }
}
