import { exactNumber } from './exact-json.ts'
import { resultOf } from './message-items.ts'
import { firstText, readTime } from './read-scalar.ts'
import type { TraceItem } from './trace.ts'

type Attributes = Readonly<Record<string, unknown>>

/** A span as exporters write it: attributes as a map, or as OTLP's list. */
export type Span = Readonly<Record<string, unknown>>

/** What a span of OpenTelemetry's GenAI conventions says: its trace, the conversation where it names one, and what happened. */
export type SpanItems = { readonly trace: string; readonly conversation?: string; readonly items: readonly TraceItem[] }

/** Reads one span: a tool call, or what the user wrote last in a model's input. Undefined for a span that names no trace. */
export function spanItems(span: Span): SpanItems | undefined {
  const attributes = attributesOf(span['attributes'])
  const { 'gen_ai.conversation.id': conversation, 'gen_ai.tool.name': tool, 'gen_ai.input.messages': input } = attributes
  const { traceId, trace_id: otherId, context } = span
  const trace = traceId ?? otherId ?? (isObject(context) ? (context['trace_id'] ?? context['traceId']) : undefined) ?? conversation
  if (typeof trace !== 'string') return undefined
  const time = readTime(span['startTimeUnixNano'] ?? span['start_time'] ?? span['startTime'])
  const at = time === undefined ? {} : { at: time }
  const items = typeof tool === 'string' ? toolItems(span, attributes, tool, at) : lastUserTexts(input).map((text) => ({ kind: 'user' as const, text, ...at }))
  return { trace, ...(typeof conversation === 'string' && { conversation }), items }
}

/** The spans of a line of OTLP JSON; undefined for a line that is none. */
export function spansOf(line: Span): readonly Span[] | undefined {
  return Array.isArray(line['resourceSpans']) ? line['resourceSpans'].flatMap((resource) => listAt(resource, 'scopeSpans').flatMap((scope) => listAt(scope, 'spans'))) : undefined
}

/** What tools returned is often not recorded; a span without an error is then a success of which nothing is known. */
function toolItems(span: Span, attributes: Attributes, tool: string, at: { readonly at?: number }): readonly TraceItem[] {
  const { context, spanId, span_id: otherId } = span
  const own = isObject(context) ? context['span_id'] : undefined
  const id = firstText(attributes['gen_ai.tool.call.id'], spanId, otherId, own) ?? 'call'
  const { 'gen_ai.tool.call.arguments': args, 'gen_ai.tool.call.result': result, 'error.type': errorType } = attributes
  const call = { tool, args: typeof args === 'string' ? { text: args } : { value: args ?? {} } }
  return [{ kind: 'call', id, turn: id, call, ...at }, { kind: 'result', id, result: resultOf(result, errorType !== undefined || hasErrorStatus(span)) }]
}

function hasErrorStatus({ status }: Span): boolean {
  if (!isObject(status)) return false
  const code = status['code'] ?? status['status_code']
  return code === 2 || code === 'ERROR' || code === 'STATUS_CODE_ERROR'
}

/** A model's input repeats the whole conversation: new in it is what comes after the model's own last message. */
function lastUserTexts(input: unknown): readonly string[] {
  const messages = listOf(typeof input === 'string' ? parsed(input) : input)
  const news = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1)
  return news.filter(({ role }) => role === 'user').flatMap((message) => {
    const text = listAt(message, 'parts').flatMap(({ type, content }) => (type === 'text' && typeof content === 'string' ? [content] : [])).join('\n')
    return text === '' ? [] : [text]
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function attributesOf(attributes: unknown): Attributes {
  if (!Array.isArray(attributes)) return isObject(attributes) ? attributes : {}
  return Object.fromEntries(listOf(attributes).map(({ key, value }) => [String(key), isObject(value) ? plainOf(value) : undefined]))
}

/** OTLP wraps each value by its kind. */
function plainOf(value: Span): unknown {
  const [kind, inner] = Object.entries(value)[0] ?? []
  if (kind === 'arrayValue') return listAt(inner, 'values').map(plainOf)
  if (kind === 'kvlistValue') return attributesOf(isObject(inner) ? inner['values'] : undefined)
  return kind === 'intValue' && typeof inner === 'string' ? exactNumber(inner) : inner
}

function listAt(value: unknown, name: string): readonly Span[] {
  return isObject(value) ? listOf(value[name]) : []
}

function listOf(value: unknown): readonly Span[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

function isObject(value: unknown): value is Span {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
