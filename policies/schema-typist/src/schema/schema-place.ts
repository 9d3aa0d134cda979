import type { JsonObject, JsonValue } from '@callgate/core'
import type { CaseIndex } from '../repair/letter-case.ts'
import type { Kind } from './schema-kinds.ts'

/** What a schema says of one place in the arguments: the schemas that all hold there, and each way to satisfy their unions. */
export type SchemaPlace = {
  readonly schemas: readonly JsonObject[]
  /** One for each choice of branches; undefined where something is not known: a reference that leads away, too many choices. */
  readonly shapes: readonly Shape[] | undefined
}

/** One way to satisfy a place: schemas without unions that all hold. What it says of a value's parts is asked of it. */
export type Shape = {
  readonly kinds: ReadonlySet<Kind>
  /** True where a type is declared, so that text may be read as it. */
  readonly isTyped: boolean
  /** Finds the texts of its enum that are a text in whatever letter case; undefined where it has no enum. */
  readonly choices: CaseIndex | undefined
  /** The members of an enum of integers only. */
  readonly integers: ReadonlySet<JsonValue> | undefined
  readonly required: ReadonlySet<string>
  /** The properties that it names. */
  readonly names: readonly string[]
  /** True where it says something of properties that it does not name: by a pattern, or of all others. */
  readonly describesOthers: boolean
  /** What is said of a property: by name, by pattern, or of all others; undefined where nothing is. */
  property(name: string): SchemaPlace | undefined
  item(at: number): SchemaPlace | undefined
}
