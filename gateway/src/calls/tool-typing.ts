import type { AttemptSchema, Policy } from '@callgate/core'
import type { SchemaTypistOptions } from '@callgate/schema-typist'
import type { ListedTool } from './read-listing.ts'

/** How arguments are typed: the policy, and the schema that a call of a tool carries for it. */
export type ToolTyping = {
  readonly policy: Policy
  /** Undefined where the tool has no input schema; throws `invalid_schema`. */
  schemaOf(tool: ListedTool, definition: string): AttemptSchema | undefined
}

/**
 * Loads the typist, with the validator that it brings: whoever types nothing does not wait for it. Rejects with what the
 * policy's constructor throws.
 */
export async function loadTyping(options: SchemaTypistOptions): Promise<ToolTyping> {
  const { ArgumentsSchema, SchemaTypistPolicy } = await import('@callgate/schema-typist')
  return {
    policy: new SchemaTypistPolicy(options),
    schemaOf({ name, inputSchema }, definition) {
      if (inputSchema === undefined) return undefined
      return ArgumentsSchema.create({ schemaId: name, version: definition, inputSchema: JSON.parse(inputSchema) as unknown })
    },
  }
}
