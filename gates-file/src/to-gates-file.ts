import { sha256Hex } from '@callgate/core'
import type { GateRule, GateRules, LimitRule, MarkRule } from '@callgate/core'
import type { GatesFile, ServerSettings, SpecialWord, TypingSettings } from './gates-file.ts'
import type { WrittenFile, WrittenGates } from './gates-format.ts'
import type { WrittenLimit } from './limit-format.ts'
import type { WrittenMark } from './mark-format.ts'
import type { ProblemList } from './problem-list.ts'
import type { Located } from './reader.ts'
import type { WrittenRule } from './rule-format.ts'
import type { WrittenServer } from './server-format.ts'

type Places = Pick<ProblemList, 'lineOf' | 'placeOf'>

const NO_BOUNDS: TypingSettings['tools'] = Object.freeze(Object.create(null) as TypingSettings['tools'])
const TYPING_DEFAULTS: Omit<TypingSettings, 'mode'> = { lowercaseBooleans: false, invalid: 'refuse', tools: NO_BOUNDS }

/** What a file that was read says, with the core's rules. */
export function toGatesFile(written: WrittenFile, text: string, places: Places): GatesFile {
  const { server, gates, typing, redact, record, userText, examples } = written
  return {
    digest: sha256Hex(text),
    ...(server && { server: toServer(server) }),
    rules: toRules(gates?.value ?? {}, places),
    ...(typing && { typing: { ...TYPING_DEFAULTS, ...typing, mode: typing.mode.value } }),
    ...valuesOf({ reload: gates?.value.reload, redact, record, userText }),
    ...(examples && { examples: examples.map(({ value }) => value) }),
    special: specialWords(written).toSorted((a, b) => a.offset - b.offset).map(({ word, offset }): SpecialWord => ({ word, ...places.placeOf(offset) })),
  }
}

function toServer({ command, url, headers }: WrittenServer): ServerSettings {
  return command === undefined ? { url: url?.value ?? '', ...(headers && { headers: headers.value }) } : { command }
}

function toRules({ rules = [], marks, external, allow, deny, limits, default: otherwise, unlisted }: WrittenGates, places: Places): GateRules {
  return {
    rules: rules.map((rule) => toRule(rule, places)),
    ...(marks && { marks: marks.map((mark) => toMark(mark, places)) }),
    ...(external && { external }),
    ...(allow && { allow }),
    ...(deny && { deny }),
    ...(limits && { limits: limits.map((limit) => toLimit(limit, places)) }),
    ...(otherwise && { default: otherwise }),
    ...(unlisted && { unlisted }),
  }
}

function toRule({ offset, value }: Located<WrittenRule>, places: Places): GateRule {
  const { gate, tools, message, when, annotations, unannotated, condition, key, require, otherwise, approvers, notBy, quorum, expires, channel, showTo } = value
  return {
    gate: gate.value,
    ...(tools && { tools }),
    message,
    ...(when && { when }),
    ...valuesOf({ annotations, unannotated, condition, key, require, otherwise, approvers, notBy, quorum, channel, showTo }),
    ...(expires && { expiresMs: expires.value }),
    line: places.lineOf(offset),
  }
}

function toMark({ offset, value }: Located<WrittenMark>, places: Places): MarkRule {
  const { gate, expires, tools, from, keys, keep, failedWhen, parse, uses, clear } = value
  return {
    gate,
    ...(from?.value === 'user' && { from: 'user' as const }),
    ...valuesOf({ tools, keys, keep, failedWhen, parse, uses, clear }),
    ...(expires && { expiresMs: expires.value }),
    line: places.lineOf(offset),
  }
}

function toLimit({ offset, value }: Located<WrittenLimit>, places: Places): LimitRule {
  const { tools, calls, sum, max, per, repeats } = value
  return { ...(tools && { tools }), ...valuesOf({ calls, sum, max, repeats }), ...(per && { perMs: per.value }), line: places.lineOf(offset) }
}

/** The values of those that are there, without their places. */
function valuesOf<T extends { readonly [key: string]: Located<unknown> | undefined }>(
  found: T,
): { readonly [K in keyof T]?: Exclude<T[K], undefined> extends Located<infer V> ? V : never } {
  const entries = Object.entries(found).flatMap(([key, one]) => (one === undefined ? [] : [[key, one.value] as const]))
  return Object.fromEntries(entries) as { readonly [K in keyof T]?: Exclude<T[K], undefined> extends Located<infer V> ? V : never }
}

/** The words that not every host can keep, with their offsets. */
function specialWords({ server, gates, typing, redact, record, userText }: WrittenFile): readonly { readonly word: string; readonly offset: number }[] {
  const { rules = [], marks = [], reload } = gates?.value ?? {}
  const at = (word: string, found: Located<unknown> | undefined): readonly { readonly word: string; readonly offset: number }[] =>
    found === undefined ? [] : [{ word, offset: found.offset }]
  return [
    ...at('server.url', server?.url),
    ...(typing === undefined || typing.mode.value === 'strict' ? [] : at(`typing.mode: ${typing.mode.value}`, typing.mode)),
    ...at('redact', redact),
    ...(record?.value.onError === 'warn' ? at('record.onError: warn', record) : []),
    ...at('userText', userText),
    ...at('reload', reload),
    ...marks.flatMap(({ value: { from } }) => (from?.value === 'user' ? at('from: user', from) : [])),
    ...rules.flatMap(({ value: { channel, showTo } }) => [
      ...(channel?.value === 'elicitation' ? at('channel: elicitation', channel) : []),
      ...at('showTo', showTo),
    ]),
  ]
}
