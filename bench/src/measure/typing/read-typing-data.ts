import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readTypingRows } from './typing-row.ts'
import type { IsRequired, TypingRow } from './typing-row.ts'

/** Reads every file of rows in a folder, in the order of their names; what a tool requires is read from the schemas beside it, where those are there. */
export function readTypingData(folder: string, schemas: string): readonly TypingRow[] {
  const isRequired = requirements(schemas)
  const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl')).toSorted()
  return names.flatMap((name) => readTypingRows(name, readFileSync(join(folder, name), 'utf8'), isRequired))
}

type Named = { readonly properties: ReadonlySet<string>; readonly required: ReadonlySet<string> }

/** What the tools of the schema files require of their own properties; tools of one name that disagree are not known. */
function requirements(folder: string): IsRequired {
  const tools = new Map<string, Named[]>()
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : []
  for (const file of files) collect(JSON.parse(readFileSync(join(folder, file), 'utf8')), tools)
  return (tool, param) => {
    const answers = new Set((tools.get(tool) ?? []).filter(({ properties }) => properties.has(param)).map(({ required }) => required.has(param)))
    const [answer] = answers
    return answers.size === 1 ? answer : undefined
  }
}

function collect(value: unknown, tools: Map<string, Named[]>): void {
  if (typeof value !== 'object' || value === null) return
  const { name, input_schema: schema } = value as { readonly name?: unknown; readonly input_schema?: { readonly properties?: object; readonly required?: readonly string[] } }
  if (typeof name !== 'string' || schema === undefined) {
    for (const child of Object.values(value)) collect(child, tools)
    return
  }
  const known = tools.get(name) ?? []
  known.push({ properties: new Set(Object.keys(schema.properties ?? {})), required: new Set(schema.required ?? []) })
  tools.set(name, known)
}
