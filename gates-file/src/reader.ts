import { isAlias, isMap, isScalar, isSeq } from 'yaml'
import type { Node } from 'yaml'
import type { ExpressionCompiler } from './cel/expression-compiler.ts'
import type { ProblemCode } from './problem.ts'
import type { ProblemList } from './problem-list.ts'
import type { AliasTargets } from './resolve-aliases.ts'
import { quoteText } from './show-text.ts'

/** A JSON Schema (draft-07) as plain data. */
export type JsonSchema = { readonly [key: string]: unknown }

/** One part of the format: how it is read, and the same as a JSON Schema for editors. */
export type Reader<T> = {
  readonly schema: JsonSchema
  /** The value, or undefined where a problem was reported. */
  read(slot: Slot, reading: Reading): T | undefined
}

/** A place where a value is expected: what it is called in messages, the node there, and its offset where the node is empty. */
export type Slot = { readonly label: string; readonly node: unknown; readonly fallback: number }

/** A value with where it stands: an offset into the text. */
export type Located<T> = { readonly value: T; readonly offset: number }

/** One reading of one document. */
export type Reading = {
  report(offset: number, code: ProblemCode, message: string, hint?: string): void
  /** Compiles an expression over some roots. */
  readonly compile: ExpressionCompiler
  /** The node of a slot, aliases followed; undefined for none, or once too many values were read. */
  nodeOf(slot: Slot): Node | undefined
}

// Aliases multiply values; without them a file within its other bounds has fewer.
const MAX_VALUES = 1_000_000

/** Starts a reading of a document whose aliases are known. */
export function createReading(targets: AliasTargets, problems: ProblemList, compile: ExpressionCompiler): Reading {
  let count = 0
  return {
    compile,
    report: (offset, code, message, hint) => problems.error(offset, code, message, hint),
    nodeOf(slot) {
      count += 1
      if (count === MAX_VALUES) {
        problems.error(slot.fallback, 'too_large', `more than ${MAX_VALUES} values, aliases written out`)
      }
      if (count >= MAX_VALUES) return undefined
      const node = isAlias(slot.node) ? targets.get(slot.node) : slot.node
      return isMap(node) || isSeq(node) || isScalar(node) ? node : undefined
    },
  }
}

/** Where a slot's value begins: the alias itself for an aliased one, the key for an empty one. */
export function offsetOf(slot: Slot): number {
  const node = slot.node
  if (!isAlias(node) && !isMap(node) && !isSeq(node) && !isScalar(node)) return slot.fallback
  return isEmpty(node) ? slot.fallback : (node.range?.[0] ?? slot.fallback)
}

/** Reports that a slot holds something else than it should. */
export function reportType(slot: Slot, node: Node | undefined, wanted: string, reading: Reading, hint?: string): undefined {
  // An alias without a target and too many values were reported where they stand.
  if (node === undefined && slot.node !== undefined && slot.node !== null) return undefined
  reading.report(offsetOf(slot), 'wrong_type', `${slot.label} must be ${wanted}, and this is ${describe(node)}`, hint)
}

/** The number that a node holds, as the nearest double; undefined for anything else. */
export function numberOf(node: Node | undefined): number | undefined {
  return isScalar(node) && typeof node.value === 'number' ? node.value : undefined
}

/** The same reader, telling where the value stands. */
export function located<T>(reader: Reader<T>): Reader<Located<T>> {
  return {
    schema: reader.schema,
    read(slot, reading) {
      const value = reader.read(slot, reading)
      return value === undefined ? undefined : { value, offset: offsetOf(slot) }
    },
  }
}

/** A reader whose value is looked at once more: `next` makes the final value, or reports and returns undefined. */
export function refine<T, U>(reader: Reader<T>, next: (value: T, slot: Slot, reading: Reading) => U | undefined): Reader<U> {
  return {
    schema: reader.schema,
    read(slot, reading) {
      const value = reader.read(slot, reading)
      return value === undefined ? undefined : next(value, slot, reading)
    },
  }
}

/** The same reader with a sentence for editors. */
export function about<T>(description: string, reader: Reader<T>): Reader<T> {
  return { ...reader, schema: { description, ...reader.schema } }
}

function describe(node: Node | undefined): string {
  if (isMap(node)) return 'a map'
  if (isSeq(node)) return 'a list'
  if (!isScalar(node) || isEmpty(node)) return 'empty'
  if (node.value === null) return 'null'
  if (typeof node.value === 'string') return 'text'
  return `the ${typeof node.value === 'boolean' ? 'boolean' : 'number'} ${quoteText(node.source ?? '')}`
}

function isEmpty(node: unknown): boolean {
  return isScalar(node) && node.value === null && (node.source ?? '') === ''
}
