import { Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { Value } from '@sinclair/typebox/value'
import { Ajv } from 'ajv'
import * as v from 'valibot'
import { z } from 'zod'
import { INPUT_SCHEMA } from './inputs.ts'
import type { InputKind } from './inputs.ts'

/** Reads one call's arguments and returns what a tool would be given; throws where they are refused. */
export type Reader = (sent: Readonly<Record<string, unknown>>) => unknown

/** A contestant: how it reads each kind of arguments, as its own documentation says. */
export type TypingEntrant = { readonly name: string; readerOf(kind: InputKind): Reader }

/** zod, whose `parse` the targets are about. `z.coerce.boolean` takes "false" for true: the text is read by `z.stringbool`. */
const ZOD: TypingEntrant = {
  name: 'zod',
  readerOf(kind) {
    const number = (): z.ZodNumber => (kind === 'valid' ? z.number() : z.coerce.number())
    const schema = z.strictObject({
      query: z.string().max(200),
      limit: number().int().min(1).max(1_000),
      offset: number().int().min(0).max(1_000_000),
      threshold: number().min(0).max(1),
      depth: number().int().min(0).max(64),
      recursive: kind === 'valid' ? z.boolean() : z.stringbool({ truthy: ['true'], falsy: ['false'] }),
    })
    return (sent) => schema.parse(sent)
  },
}

const VALIBOT: TypingEntrant = {
  name: 'valibot',
  readerOf(kind) {
    const number = (...checks: readonly v.GenericPipeItem<number, number>[]): v.GenericSchema<unknown, number> =>
      kind === 'valid' ? v.pipe(v.number(), ...checks) : v.pipe(v.union([v.number(), v.pipe(v.string(), v.transform(Number), v.number())]), ...checks)
    const schema = v.strictObject({
      query: v.pipe(v.string(), v.maxLength(200)),
      limit: number(v.integer(), v.minValue(1), v.maxValue(1_000)),
      offset: number(v.integer(), v.minValue(0), v.maxValue(1_000_000)),
      threshold: number(v.minValue(0), v.maxValue(1)),
      depth: number(v.integer(), v.minValue(0), v.maxValue(64)),
      recursive: kind === 'valid' ? v.boolean() : v.pipe(v.picklist(['true', 'false']), v.transform((text) => text === 'true')),
    })
    return (sent) => v.parse(schema, sent)
  },
}

/** ajv writes into what it is given: it gets a copy. */
const AJV: TypingEntrant = {
  name: 'ajv, coerceTypes',
  readerOf() {
    const validate = new Ajv({ coerceTypes: true }).compile(INPUT_SCHEMA)
    return (sent) => {
      const args = { ...sent }
      if (!validate(args)) throw new Error(`ajv refuses: ${JSON.stringify(validate.errors)}`)
      return args
    }
  },
}

/** TypeBox converts a copy, and checks nothing by that; the check is its compiled one. */
const TYPEBOX: TypingEntrant = {
  name: 'TypeBox, Value.Convert',
  readerOf() {
    const schema = Type.Object({
      query: Type.String({ maxLength: 200 }),
      limit: Type.Integer({ minimum: 1, maximum: 1_000 }),
      offset: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
      threshold: Type.Number({ minimum: 0, maximum: 1 }),
      depth: Type.Integer({ minimum: 0, maximum: 64 }),
      recursive: Type.Boolean(),
    }, { additionalProperties: false })
    const check = TypeCompiler.Compile(schema)
    return (sent) => {
      const args = Value.Convert(schema, { ...sent })
      if (!check.Check(args)) throw new Error('TypeBox refuses')
      return args
    }
  },
}

/** What a user would pick instead. */
export const PEERS: readonly TypingEntrant[] = [ZOD, VALIBOT, AJV, TYPEBOX]
