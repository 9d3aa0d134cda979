import { canonicalJson, reveal } from '@callgate/core'
import type { Entry, JsonObject, JsonValue } from '@callgate/core'
import { JsonText } from '../json-text.ts'
import type { AnswerObject } from '../json-text.ts'
import { momentText } from '../durations.ts'
import { revealPlain, shorten } from '../reveal.ts'

const DETAIL_WIDTH = 160

/** An entry as one line of JSON prints it: every member that its hash covers, its data digit for digit. */
export function entryAnswer(entry: Entry): AnswerObject {
  const { seq, kind, at, principal, session, call, data, prev, hash } = entry
  return { seq, kind, at, principal, session, call, data: new JsonText(canonicalJson(data)), prev, hash }
}

/** An entry as one aligned line for a person: number, time, kind, what, tool, and the rest shortened. */
export function entryLine(entry: Entry): string {
  const { seq, at, kind, data } = entry
  const columns = [
    String(seq).padStart(6),
    momentText(at),
    kind.padEnd(8),
    word(kind, data).padEnd(8),
    text(data['tool']).padEnd(24),
    detail(data),
  ]
  return columns.join('  ').trimEnd()
}

function word(kind: Entry['kind'], data: Entry['data']): string {
  switch (kind) {
    case 'decision':
      return data['verdict'] === 'run' && data['repaired'] === true ? 'repaired' : text(data['verdict'])
    case 'outcome':
      return text(data['outcome'])
    case 'mark':
      return text(data['gate'])
    case 'hold':
      return text(data['event'])
    case 'vote':
      return text(data['verdict'])
  }
}

const DETAILS = ['hold', 'rule', 'cause', 'approver', 'reason', 'args'] as const

function detail(data: Entry['data']): string {
  const parts = DETAILS.flatMap((name) => {
    const value = data[name]
    return value === undefined ? [] : [`${name}=${typeof value === 'string' ? revealPlain(value) : reveal(canonicalJson(value))}`]
  })
  return shorten([...reasonCodes(data['reasons']), ...parts].join(' '), DETAIL_WIDTH)
}

function reasonCodes(reasons: JsonValue | undefined): readonly string[] {
  if (!Array.isArray(reasons)) return []
  const list: readonly JsonValue[] = reasons
  return list.flatMap((reason) => (isObject(reason) && typeof reason['code'] === 'string' ? [revealPlain(reason['code'])] : []))
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? revealPlain(value) : '-'
}
