import type { JsonValue } from '@callgate/core'
import { exactText } from './exact-json.ts'
import type { RecordedResult, TraceItem } from './trace.ts'

type Part = Readonly<Record<string, unknown>>

/**
 * The items of one chat message: OpenAI's (`tool_calls`, role `tool`), Anthropic's (blocks `tool_use`, `tool_result`), the AI
 * SDK's (parts `tool-call`, `tool-result`, and those of a UI message, whose steps are turns). Text counts as the user's only in
 * a message of the user's; a tool's result never does. `turn` names the model turn that the message is.
 */
export function messageItems(message: unknown, turn: string): readonly TraceItem[] {
  if (!isPart(message)) return []
  const { role } = message
  if (role === 'tool' && typeof message['tool_call_id'] === 'string') return [openAiResult(message, message['tool_call_id'])]
  const parts = partsOf(message)
  let step = 0
  const items = parts.flatMap((part) => {
    if (part['type'] === 'step-start') step += 1
    return partItems(part, step === 0 ? turn : `${turn}.${step}`)
  })
  if (role === 'assistant') return [...openAiCalls(message, turn), ...items]
  if (role !== 'user') return items.filter(({ kind }) => kind === 'result')
  const text = [...(typeof message['content'] === 'string' ? [message['content']] : []), ...parts.flatMap(textOf)].join('\n')
  return [...items.filter(({ kind }) => kind === 'result'), ...(text === '' ? [] : [{ kind: 'user' as const, text }])]
}

function openAiCalls(message: Part, turn: string): readonly TraceItem[] {
  const calls = message['tool_calls']
  if (!Array.isArray(calls)) return []
  return calls.filter(isPart).flatMap((call, at) => {
    const made = isPart(call['function']) ? call['function'] : call
    return callItem(typeof call['id'] === 'string' ? call['id'] : `${turn}:${at}`, made['name'], made['arguments'], turn)
  })
}

function openAiResult(message: Part, id: string): TraceItem {
  const { content, is_error: isError, structured_content: structured } = message
  const text = typeof content === 'string' ? content : partsOf(message).flatMap(textOf).join('\n')
  const known = structured === undefined ? {} : { structured: structured as JsonValue }
  return { kind: 'result', id, result: { text, ...known, isError: isError === true } }
}

function partItems(part: Part, turn: string): readonly TraceItem[] {
  switch (part['type']) {
    case 'tool_use':
      return callItem(part['id'], part['name'], part['input'], turn)
    case 'tool_result':
      return resultItem(part['tool_use_id'], part['content'], part['is_error'] === true)
    case 'tool-call':
      return callItem(part['toolCallId'], part['toolName'], part['input'] ?? part['args'], turn)
    case 'tool-result':
      return sdkResult(part)
    case 'tool-invocation': {
      const { toolInvocation: made } = part
      return isPart(made) ? uiItems({ type: 'dynamic-tool', input: made['args'], output: made['result'], ...made }, turn) : []
    }
    default:
      return uiItems(part, turn)
  }
}

/** The SDK wraps what a tool returned, as in `{ type: 'json', value }`; before that it stood bare under `result`. */
function sdkResult({ toolCallId, output, result, isError }: Part): readonly TraceItem[] {
  if (!isPart(output) || typeof output['type'] !== 'string') return resultItem(toolCallId, output ?? result, isError === true)
  const hasFailed = isError === true || output['type'].startsWith('error') || output['type'] === 'execution-denied'
  return resultItem(toolCallId, output['value'], hasFailed)
}

/** The AI SDK's UI messages keep a call and its result in one part, `tool-NAME` or `dynamic-tool`. */
function uiItems(part: Part, turn: string): readonly TraceItem[] {
  const { type, toolCallId, toolName, state, input, output, errorText } = part
  if (typeof type !== 'string' || typeof toolCallId !== 'string') return []
  const name = type === 'dynamic-tool' ? toolName : type.startsWith('tool-') ? type.slice('tool-'.length) : undefined
  const made = callItem(toolCallId, name, input, turn)
  if (made.length === 0) return []
  if (state === 'output-available' || state === 'result') return [...made, ...resultItem(toolCallId, output, false)]
  return state === 'output-error' ? [...made, ...resultItem(toolCallId, errorText, true)] : made
}

function callItem(id: unknown, tool: unknown, input: unknown, turn: string): readonly TraceItem[] {
  if (typeof id !== 'string' || typeof tool !== 'string') return []
  return [{ kind: 'call', id, turn, call: { tool, args: typeof input === 'string' ? { text: input } : { value: input ?? {} } } }]
}

function resultItem(id: unknown, content: unknown, isError: boolean): readonly TraceItem[] {
  return typeof id === 'string' ? [{ kind: 'result', id, result: resultOf(content, isError) }] : []
}

/** Text, a list of blocks of which the text counts, or any other JSON value. */
export function resultOf(content: unknown, isError: boolean): RecordedResult {
  if (typeof content === 'string') return { text: content, isError }
  const blocks = isPart(content) && Array.isArray(content['content']) ? content['content'] : content
  if (Array.isArray(blocks) && blocks.length > 0 && blocks.every((block) => isPart(block) && typeof block['type'] === 'string')) {
    const { structuredContent: structured, isError: hasFailed } = isPart(content) ? content : {}
    return {
      text: (blocks as readonly Part[]).flatMap(textOf).join('\n'),
      ...(structured !== undefined && { structured: structured as JsonValue }),
      isError: isError || hasFailed === true,
    }
  }
  if (content === undefined || content === null) return { isError }
  return { structured: content as JsonValue, text: exactText(content), isError }
}

function partsOf(message: Part): readonly Part[] {
  const parts = Array.isArray(message['content']) ? message['content'] : message['parts']
  return Array.isArray(parts) ? parts.filter(isPart) : []
}

function textOf(part: Part): readonly string[] {
  return part['type'] === 'text' && typeof part['text'] === 'string' ? [part['text']] : []
}

function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
