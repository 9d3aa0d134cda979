import { CallgateError } from '../model/callgate-error.ts'
import type { ToolCall } from './call.ts'

/** The call, where its parts are what they are taken for; throws `invalid_call`, since the host made it and not the model. */
export function checkedCall(call: ToolCall): ToolCall {
  if (typeof call !== 'object' || call === null) throw invalid('it is an object with a tool and its args')
  if (!isName(call.tool)) throw invalid('tool is well-formed text that is not empty')
  for (const name of ['callId', 'turn', 'server', 'definition', 'sent'] as const) {
    if (call[name] !== undefined && !isName(call[name])) throw invalid(`${name} is well-formed text that is not empty, or left out`)
  }
  const { schema, annotations, isListed } = call
  if (annotations !== undefined && (typeof annotations !== 'object' || annotations === null)) throw invalid('annotations are an object of hints, or left out')
  if (isListed !== undefined && typeof isListed !== 'boolean') throw invalid('isListed is true or false, or left out')
  if (schema === undefined) return call
  const isSchema = typeof schema === 'object' && schema !== null && typeof schema.schemaId === 'string' && typeof schema.version === 'string'
  if (!isSchema) throw invalid('schema is what ArgumentsSchema.create or PrimitiveSchema.create returns, not a JSON Schema itself')
  return call
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value.isWellFormed()
}

function invalid(what: string): CallgateError {
  return new CallgateError('invalid_call', `This call cannot be judged: ${what}.`)
}
