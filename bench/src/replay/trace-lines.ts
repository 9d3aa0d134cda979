const STATUSES = ['pending', 'delivered', 'cancelled']
const FILLER = 'The order was placed in the shop and is handled by the usual carrier. '.repeat(8)

/** Runs as OpenAI messages, a line each, until `bytes` are written; the same each time. */
export function* traceLines(bytes: number): Generator<string> {
  let written = 0
  for (let at = 0; written < bytes; at += 1) {
    const line = `${JSON.stringify(traceOf(at))}\n`
    written += line.length
    yield line
  }
}

function traceOf(at: number): unknown {
  const orders = Array.from({ length: 6 }, (_, index) => `order_${at}_${index}`)
  const messages = orders.flatMap((order_id, index) => {
    const status = STATUSES[(at + index) % STATUSES.length]
    return [
      { role: 'user', content: `Please change ${order_id}. ${FILLER}` },
      call(`r${index}`, 'get_order', { order_id }),
      { role: 'tool', tool_call_id: `r${index}`, name: 'get_order', content: JSON.stringify({ order_id, status, note: FILLER }) },
      call(`w${index}`, index % 4 === 3 ? 'refund' : 'change_order', { order_id, amount: (at * 7 + index) % 200 }),
      { role: 'tool', tool_call_id: `w${index}`, name: 'change_order', content: JSON.stringify({ ok: true, note: FILLER }) },
    ]
  })
  return { id: `run-${at}`, messages }
}

function call(id: string, name: string, args: unknown): unknown {
  return { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }] }
}
