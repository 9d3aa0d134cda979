import { isWellFormed } from './json-shape.ts'

/** The keys and values of a plain array (which has no keys) or object, each read once. */
export type Container = { readonly kind: 'array' | 'object'; readonly keys: readonly string[]; readonly values: readonly unknown[] }

/** Why something is no plain array or object; `key` names the property where it is one. */
export type ContainerFault = { readonly kind: 'fault'; readonly what: string; readonly key?: string; readonly cause?: unknown }

const NO_KEYS: readonly string[] = Object.freeze([])
const BOXED = [Number, String, Boolean, BigInt, Symbol]

/** Reads a plain array or object (contract 2), each property once, without running any of its code but a proxy's traps. */
export function openContainer(source: object): Container | ContainerFault {
  try {
    return Array.isArray(source) ? openArray(source) : openObject(source)
  } catch (cause) {
    return { kind: 'fault', what: 'cannot be read: it throws', cause }
  }
}

function openArray(source: readonly unknown[]): Container | ContainerFault {
  if (Reflect.getPrototypeOf(source) !== Array.prototype) return fault('is an array with a prototype of its own')
  const count = Reflect.ownKeys(source).length
  const length: unknown = Reflect.getOwnPropertyDescriptor(source, 'length')?.value
  if (typeof length !== 'number' || count < length + 1) return fault('is an array with holes')
  const values: unknown[] = []
  for (let at = 0; at < length; at += 1) {
    const key = String(at)
    const property = Object.getOwnPropertyDescriptor(source, key)
    const problem = problemOf(property)
    if (problem !== undefined) return fault(problem, key)
    values.push((property as PropertyDescriptor).value)
  }
  if (count > length + 1) return fault('is an array with extra properties')
  return { kind: 'array', keys: NO_KEYS, values }
}

function openObject(source: object): Container | ContainerFault {
  const prototype = Reflect.getPrototypeOf(source)
  if (prototype !== null && prototype !== Object.prototype) return fault(`is ${nameOf(prototype)}`)
  // The names and the symbols apart take a fifth of the time that all keys at once do.
  const keys = Object.getOwnPropertyNames(source)
  const values: unknown[] = []
  for (const key of keys) {
    if (!isWellFormed(key)) return fault('has a key with a lone surrogate')
    const property = Object.getOwnPropertyDescriptor(source, key)
    const problem = problemOf(property)
    if (problem !== undefined) return fault(problem, key)
    values.push((property as PropertyDescriptor).value)
  }
  if (Object.getOwnPropertySymbols(source).length > 0) return fault('has a symbol as a key')
  return { kind: 'object', keys, values }
}

function problemOf(property: PropertyDescriptor | undefined): string | undefined {
  if (property === undefined) return 'is a hole'
  if (!('value' in property)) return 'is an accessor'
  return property.enumerable === true ? undefined : 'is not enumerable'
}

function nameOf(prototype: object): string {
  const boxed = BOXED.find((constructor) => constructor.prototype === prototype)
  return boxed === undefined ? 'an instance of a class' : `a boxed ${boxed.name}`
}

function fault(what: string, key?: string): ContainerFault {
  return key === undefined ? { kind: 'fault', what } : { kind: 'fault', what, key }
}
