import { invalidContent } from './store-error.ts'

/** A name or an id as SQLite keeps it without loss: its JSON string, in which NUL and lone surrogates are escaped. */
export function toKey(name: string): string {
  return JSON.stringify(name)
}

/** The name that `toKey` wrote; `store_invalid` where it did not. */
export function fromKey(path: string, key: string): string {
  const name = parseJson(path, key)
  if (typeof name !== 'string') throw invalidContent(path, `the name ${key}, which is no JSON string`)
  return name
}

/** Parses JSON text that a store wrote; `store_invalid` where it is none. */
export function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw invalidContent(path, `text that is no JSON: ${text.slice(0, 80)}`, cause)
  }
}
