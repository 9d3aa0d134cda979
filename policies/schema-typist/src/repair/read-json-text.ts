import { Candidate } from '@callgate/core'
import type { JsonValue } from '@callgate/core'
import { isJsonObject } from '../json-shape.ts'

// What a call's arguments may have (contract 2).
const DEEPEST_TEXT = 64

const OPENING = /^[\t\n\r ]*([[{])/

/**
 * The array or object that a text spells as JSON, exactly as the wire is read: big integers keep their digits. Undefined for
 * any other text, and for one without one reading: a key that is there twice, a lone surrogate, a number without a double.
 */
export function readJsonText(text: string): JsonValue | undefined {
  if (jsonTextKind(text) === undefined || nestsTooDeep(text)) return undefined
  try {
    const { arguments: args } = Candidate.ofWire(`{"value":${text}}`).fields
    return isJsonObject(args) && Object.keys(args).length === 1 ? args['value'] : undefined
  } catch {
    return undefined
  }
}

/** What a text begins to spell, if it is JSON at all. */
export function jsonTextKind(text: string): 'array' | 'object' | undefined {
  const opened = OPENING.exec(text)?.[1]
  return opened === undefined ? undefined : opened === '[' ? 'array' : 'object'
}

/** Counts brackets, those in strings aside. */
function nestsTooDeep(text: string): boolean {
  let depth = 0
  let isInString = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (isInString) {
      if (character === '\\') at += 1
      else if (character === '"') isInString = false
    } else if (character === '"') isInString = true
    else if (character === '{' || character === '[') {
      depth += 1
      if (depth > DEEPEST_TEXT) return true
    } else if (character === '}' || character === ']') depth -= 1
  }
  return false
}
