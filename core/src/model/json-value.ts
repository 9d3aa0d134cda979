import type { WireNumber } from './wire-number.ts'

/** An exact JSON value (contract 2): deep-frozen; a `bigint` lies outside the safe range, a `WireNumber` keeps its text. */
export type JsonValue = string | number | boolean | null | bigint | WireNumber | JsonArray | JsonObject

/** An exact JSON array. */
export type JsonArray = readonly JsonValue[]

/** An exact JSON object with own string keys; `__proto__` is a key like any other. */
export type JsonObject = { readonly [key: string]: JsonValue }
