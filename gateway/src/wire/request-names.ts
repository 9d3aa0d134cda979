/**
 * Members of a request's `_meta` that only name the request: its progress token, its place in a trace, the ids that clients
 * give to a call or a turn. They differ each time the same call is sent, so a yes is not bound to them (decision 9).
 */
export const REQUEST_NAMES: ReadonlySet<string> = new Set([
  'progressToken',
  'traceparent',
  'tracestate',
  'baggage',
  'claudecode/toolUseId',
  'x-codex-turn-metadata',
])
