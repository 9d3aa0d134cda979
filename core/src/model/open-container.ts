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
  const keys = Reflect.ownKeys(source)
  const length: unknown = Reflect.getOwnPropertyDescriptor(source, 'length')?.value
  if (typeof length !== 'number' || keys.length < length + 1) return fault('is an array with holes')
  const values: unknown[] = []
  for (let at = 0; at < length; at += 1) {
    const read = readProperty(source, String(at))
    if ('what' in read) return read
    values.push(read.value)
  }
  if (keys.length > length + 1) return fault('is an array with extra properties')
  return { kind: 'array', keys: NO_KEYS, values }
}

function openObject(source: object): Container | ContainerFault {
  const prototype = Reflect.getPrototypeOf(source)
  if (prototype !== null && prototype !== Object.prototype) return fault(`is ${nameOf(prototype)}`)
  const keys: string[] = []
  const values: unknown[] = []
  for (const key of Reflect.ownKeys(source)) {
    if (typeof key === 'symbol') return fault('has a symbol as a key')
    if (!isWellFormed(key)) return fault('has a key with a lone surrogate')
    const read = readProperty(source, key)
    if ('what' in read) return read
    keys.push(key)
    values.push(read.value)
  }
  return { kind: 'object', keys, values }
}

function readProperty(source: object, key: string): { readonly value: unknown } | ContainerFault {
  const property = Reflect.getOwnPropertyDescriptor(source, key)
  if (property === undefined) return fault('is a hole', key)
  if (!('value' in property)) return fault('is an accessor', key)
  if (property.enumerable !== true) return fault('is not enumerable', key)
  return { value: property.value as unknown }
}

function nameOf(prototype: object): string {
  const boxed = BOXED.find((constructor) => constructor.prototype === prototype)
  return boxed === undefined ? 'an instance of a class' : `a boxed ${boxed.name}`
}

function fault(what: string, key?: string): ContainerFault {
  return key === undefined ? { kind: 'fault', what } : { kind: 'fault', what, key }
}
