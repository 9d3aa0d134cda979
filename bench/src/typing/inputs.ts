/** The six primitive parameters of the bench, as JSON Schema. */
export const INPUT_SCHEMA = {
  type: 'object',
  properties: {
    query: { type: 'string', maxLength: 200 },
    limit: { type: 'integer', minimum: 1, maximum: 1_000 },
    offset: { type: 'integer', minimum: 0, maximum: 1_000_000 },
    threshold: { type: 'number', minimum: 0, maximum: 1 },
    depth: { type: 'integer', minimum: 0, maximum: 64 },
    recursive: { type: 'boolean' },
  },
  required: ['query', 'limit', 'offset', 'threshold', 'depth', 'recursive'],
  additionalProperties: false,
} as const

/** The arguments as the tool wants them. */
export type SearchArguments = {
  readonly query: string
  readonly limit: number
  readonly offset: number
  readonly threshold: number
  readonly depth: number
  readonly recursive: boolean
}

/** One call of the bench: what is sent, and what must come out. */
export type TypingInput = { readonly sent: Readonly<Record<string, unknown>>; readonly wanted: SearchArguments }

/** What the calls of a run are: right as they are, or five of six values written as text. */
export type InputKind = 'valid' | 'repairable'

const CALLS = 64

/** Different calls of one kind, so that no contestant can know the answer. */
export function createInputs(kind: InputKind): readonly TypingInput[] {
  return Array.from({ length: CALLS }, (_, at) => {
    const wanted = { query: `invoices of ${2_000 + at}`, limit: 1 + at * 7, offset: at * 100, threshold: at / 128, depth: at % 65, recursive: at % 2 === 0 }
    const entries = Object.entries(wanted).map(([name, value]): readonly [string, unknown] => [name, kind === 'valid' ? value : String(value)])
    return { sent: Object.fromEntries(entries), wanted }
  })
}
