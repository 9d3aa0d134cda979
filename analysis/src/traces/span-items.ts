import { resultOf } from './message-items.ts'
import type { TraceItem } from './trace.ts'

/** What a span of OpenTelemetry's GenAI conventions says of a tool call, and in which trace. */
export type SpanItems = { readonly trace: string; readonly items: readonly TraceItem[] }

/** Reads one span (attributes as a map, or as OTLP's list); undefined for what is no span of a tool call. */
export function spanItems(span: Readonly<Record<string, unknown>>): SpanItems | undefined {
  const attributes = attributesOf(span['attributes'])
  const tool = attributes['gen_ai.tool.name']
  const { traceId, trace_id: otherId } = span
  const trace = attributes['gen_ai.conversation.id'] ?? traceId ?? otherId
  if (typeof tool !== 'string' || typeof trace !== 'string') return undefined
  const id = String(attributes['gen_ai.tool.call.id'] ?? span['spanId'] ?? span['span_id'] ?? 'call')
  const args = attributes['gen_ai.tool.call.arguments']
  const result = attributes['gen_ai.tool.call.result']
  const call = { tool, args: typeof args === 'string' ? { text: args } : { value: args ?? {} } }
  const isError = attributes['error.type'] !== undefined
  const items: TraceItem[] = [{ kind: 'call', id, turn: id, call }]
  if (result !== undefined || isError) items.push({ kind: 'result', id, result: resultOf(result, isError) })
  return { trace, items }
}

/** The spans of a line of OTLP JSON; undefined for a line that is none. */
export function spansOf(line: Readonly<Record<string, unknown>>): readonly Readonly<Record<string, unknown>>[] | undefined {
  const resources = line['resourceSpans']
  if (!Array.isArray(resources)) return undefined
  return resources.flatMap((resource: { readonly scopeSpans?: readonly { readonly spans?: readonly Readonly<Record<string, unknown>>[] }[] }) =>
    (resource.scopeSpans ?? []).flatMap(({ spans = [] }) => spans))
}

function attributesOf(attributes: unknown): Readonly<Record<string, unknown>> {
  if (!Array.isArray(attributes)) return typeof attributes === 'object' && attributes !== null ? (attributes as Readonly<Record<string, unknown>>) : {}
  const pairs = attributes.map(({ key, value }: { readonly key: string; readonly value?: Readonly<Record<string, unknown>> }) => [key, Object.values(value ?? {})[0]] as const)
  return Object.fromEntries(pairs)
}
