import type { Mark } from './ledger.ts'
import { readKeys, readText } from './read-keys.ts'

/** What a mark is to carry: `keys` and `keep` as an expression or the host gave them, each undefined where it gave none. */
export type MarkContent = {
  readonly gate: string
  readonly at: number
  readonly keys?: { readonly value: unknown }
  /** Where `isOne`, a list too is one fact. */
  readonly keep?: { readonly value: unknown; readonly isOne?: boolean }
  readonly expiresMs?: number | undefined
  readonly uses?: number | undefined
}

/** Marks, or why nothing is marked. */
export type MarkMaking = { readonly kind: 'marks'; readonly marks: readonly Mark[] } | { readonly kind: 'problem'; readonly why: string }

/**
 * The marks of one gate (contract 9), one a key; without `keys` one that carries none. A missing value among the keys marks
 * nothing, nor does its fact; facts are one a key, or one for all.
 */
export function makeMarks({ gate, at, keys, keep, expiresMs, uses }: MarkContent): MarkMaking {
  const base = { gate, at, ...(expiresMs !== undefined && { expiresAt: at + expiresMs }), ...(uses !== undefined && { uses }) }
  const read = keys === undefined ? undefined : readKeys(keys.value)
  if (read?.kind === 'problem') return read
  const facts = readFacts(keep, read?.keys.length)
  if (facts.kind === 'problem') return facts
  if (read === undefined) return { kind: 'marks', marks: [{ ...base, ...factOf(facts.at(0)) }] }
  const marks = new Map<string, Mark>()
  for (const [place, key] of read.keys.entries()) if (key !== undefined) marks.set(key, { ...base, key, ...factOf(facts.at(place)) })
  return { kind: 'marks', marks: [...marks.values()] }
}

type FactReading = { readonly kind: 'facts'; at(place: number): string | undefined } | { readonly kind: 'problem'; readonly why: string }

function readFacts(keep: MarkContent['keep'], keys: number | undefined): FactReading {
  if (keep === undefined) return { kind: 'facts', at: () => undefined }
  const { value, isOne = false } = keep
  if (isOne || !Array.isArray(value)) {
    const read = readText(value, 'what is kept')
    return read.kind === 'problem' ? read : { kind: 'facts', at: () => read.text }
  }
  if (keys === undefined) return { kind: 'problem', why: 'a list is kept, one fact a key, and there are no keys' }
  if (value.length !== keys) return { kind: 'problem', why: `there are ${keys} keys and ${value.length} facts` }
  const texts: string[] = []
  for (const item of value as readonly unknown[]) {
    const read = readText(item, 'what is kept')
    if (read.kind === 'problem') return read
    texts.push(read.text)
  }
  return { kind: 'facts', at: (place) => texts[place] }
}

function factOf(fact: string | undefined): { readonly fact?: string } {
  return fact === undefined ? {} : { fact }
}
