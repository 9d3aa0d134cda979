/** A recorded argument whose JSON type disagrees with its schema, or a published right value, as the data's files hold it. */
export type TypingRow = {
  /** File and line, such as `tau-recorded.jsonl:7`. */
  readonly id: string
  readonly kind: 'sent' | 'key'
  readonly tool: string
  /** A path of names and places, such as `files/0/path`. */
  readonly param: string
  readonly class: string
  readonly schema: unknown
  readonly isOptional: boolean
  /** What was sent; undefined where the argument was missing. */
  readonly sent?: unknown
  /** The published right values. */
  readonly published?: { readonly values: readonly unknown[]; readonly mayBeLeftOut: boolean }
  /** What the same model sent next for this parameter and the tool took: often of another call. */
  readonly later?: { readonly value: unknown }
}

/** Tells whether a tool requires a parameter; undefined where the tool is not known. */
export type IsRequired = (tool: string, param: string) => boolean | undefined

/**
 * Reads one file of rows. Where a row does not say whether its parameter is optional, `isRequired` does; where neither knows, the
 * published values do, and without any the parameter counts as required.
 */
export function readTypingRows(name: string, text: string, isRequired: IsRequired): readonly TypingRow[] {
  return text.split('\n').flatMap((line, at) => (line === '' ? [] : [readRow(`${name}:${at + 1}`, JSON.parse(line) as Record<string, unknown>, isRequired)]))
}

function readRow(id: string, row: Record<string, unknown>, isRequired: IsRequired): TypingRow {
  const { tool, param, class: name, schema, origin, sent, expected_any_of: expected, later_accepted_by_same_model: later } = row
  if (typeof tool !== 'string' || typeof param !== 'string' || typeof name !== 'string') throw new Error(`${id} is no row of typing data`)
  const isMissing = name === 'missing_required'
  // An answer key that was checked against the schema publishes what it sends.
  const values: readonly unknown[] | undefined = Array.isArray(expected) ? expected : !isMissing && String(origin).startsWith('published answer key') ? [sent] : undefined
  // Among published values an empty text means that the parameter may be left out.
  const mayBeLeftOut = values?.includes('') ?? false
  const { optional = isRequired(tool, param) === undefined ? mayBeLeftOut : isRequired(tool, param) === false } = row
  return {
    id, tool, param, class: name, schema,
    kind: 'sent' in row ? 'sent' : 'key',
    isOptional: optional === true,
    ...('sent' in row && !isMissing && { sent }),
    ...(values !== undefined && { published: { values: values.filter((value) => value !== ''), mayBeLeftOut } }),
    ...('later_accepted_by_same_model' in row && { later: { value: later } }),
  }
}
