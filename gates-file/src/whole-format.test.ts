import { expect, test } from 'vitest'
import { parseGatesFile } from './index.ts'

// Everything that the format knows but for `server.url`; `keep` is quoted, since YAML would read its `: ` as a map.
const WHOLE_FORMAT = `version: 1
server:
  command: [npx, -y, "@modelcontextprotocol/server-filesystem", ./invoices]

gates:
  rules:
    - gate: invoice_listed
      tools: [set_invoice_status]
      message: Run list_invoices first so you've actually seen the IDs.
      condition: external_recipient
      key: args.invoice_id
      require: fact.status == "open"
      when: args.status != "draft"
      otherwise: refuse

    - gate: confirm
      tools: [raise_purchase_order]
      message: "Raise this purchase order?"
      when: args.total >= 1000.0
      approvers: [finance]
      notBy: requester
      quorum: 1
      expires: 15m
      channel: console
      showTo: [finance]

    - gate: confirm
      annotations: { destructiveHint: true }
      unannotated: true
      message: "Run {tool}?"

  marks:
    - gate: invoice_listed
      tools: [list_invoices]
      keys: result.invoices.map(i, i.id)
      keep: 'result.invoices.map(i, {"status": i.status})'
      failedWhen: result.text.startsWith("Error")
      parse: json
      expires: 10m
      uses: 1
    - gate: invoice_listed
      tools: [set_invoice_status]
      clear: true
    - gate: recipient_named
      from: user
      keys: text.emails()

  external: [tenant_consistent]

  allow: ["list_*", "get_*"]
  deny: ["drop_*"]
  limits:
    - { tools: [send_email], calls: 5, per: 1h }
    - { tools: [pay], sum: args.amount, max: 500.0, per: 1d }
    - { repeats: 5 }

  default: allow
  unlisted: refuse
  reload: tighten

typing:
  mode: strict
  lowercaseBooleans: true
  invalid: refuse
  tools:
    list_invoices:
      limit: { minimum: 0, maximum: 100 }

redact: [args.card_number, args.token]
record: { onError: refuse }
userText: { header: x-user-text }

examples:
  - call: { tool: set_invoice_status, args: { invoice_id: INV-7, status: paid } }
    expect: refuse
    by: invoice_listed
`

const parsed = parseGatesFile(WHOLE_FORMAT)
const gates = parsed.ok ? parsed.gates : undefined
const expression = (source: string): unknown => ({ source, evaluate: expect.any(Function) as unknown })

test('the whole format is read, without a doubt but for what nothing marks', () => {
  expect(parsed.ok ? parsed.warnings.map(({ code }) => code) : parsed.problems).toEqual(['condition_never_marked'])
})

test('each word of a rule becomes what the core reads', () => {
  expect(gates?.rules.rules).toEqual([
    {
      gate: 'invoice_listed', tools: ['set_invoice_status'], message: "Run list_invoices first so you've actually seen the IDs.",
      condition: 'external_recipient', key: expression('args.invoice_id'), require: expression('fact.status == "open"'),
      when: expression('args.status != "draft"'), otherwise: 'refuse', line: 7,
    },
    {
      gate: 'confirm', tools: ['raise_purchase_order'], message: 'Raise this purchase order?', when: expression('args.total >= 1000.0'),
      approvers: ['finance'], notBy: 'requester', quorum: 1, expiresMs: 900_000, channel: 'console', showTo: ['finance'], line: 16,
    },
    { gate: 'confirm', annotations: { destructiveHint: true }, unannotated: true, message: 'Run {tool}?', line: 27 },
  ])
})

test('each word of a mark becomes what the core reads', () => {
  expect(gates?.rules.marks).toEqual([
    {
      gate: 'invoice_listed', tools: ['list_invoices'], keys: expression('result.invoices.map(i, i.id)'),
      keep: expression('result.invoices.map(i, {"status": i.status})'), failedWhen: expression('result.text.startsWith("Error")'),
      parse: 'json', expiresMs: 600_000, uses: 1, line: 33,
    },
    { gate: 'invoice_listed', tools: ['set_invoice_status'], clear: true, line: 41 },
    { gate: 'recipient_named', from: 'user', keys: expression('text.emails()'), line: 44 },
  ])
})

test('names, limits and what is left over become what the core reads', () => {
  const { rules: _rules, marks: _marks, ...rest } = gates?.rules ?? { rules: [] }
  expect(rest).toEqual({
    external: ['tenant_consistent'], allow: ['list_*', 'get_*'], deny: ['drop_*'], default: 'allow', unlisted: 'refuse',
    limits: [
      { tools: ['send_email'], calls: 5, perMs: 3_600_000, line: 53 },
      { tools: ['pay'], sum: expression('args.amount'), max: 500, perMs: 86_400_000, line: 54 },
      { repeats: 5, line: 55 },
    ],
  })
})

test('what is not for the core is kept beside it', () => {
  expect(gates).toMatchObject({
    reload: 'tighten', redact: ['args.card_number', 'args.token'], record: { onError: 'refuse' }, userText: { header: 'x-user-text' },
    examples: [{ call: { tool: 'set_invoice_status', args: { invoice_id: 'INV-7', status: 'paid' } }, expect: 'refuse', by: 'invoice_listed' }],
    typing: { mode: 'strict', lowercaseBooleans: true, invalid: 'refuse' },
  })
})

test('the words that not every host can keep are listed, each where it stands', () => {
  const lines = WHOLE_FORMAT.split('\n')
  const found = gates?.special.map(({ word, line, column }) => [word, lines[line - 1]?.slice(column - 1)])
  expect(found).toEqual([
    ['showTo', '[finance]'],
    ['from: user', 'user'],
    ['reload', 'tighten'],
    ['redact', '[args.card_number, args.token]'],
    ['userText', '{ header: x-user-text }'],
  ])
})

test('a URL, the other tiers of typing and a record that only warns are such words too', () => {
  const other = parseGatesFile('server: { url: "http://127.0.0.1:1/mcp" }\ntyping: { mode: basic }\nrecord: { onError: warn }\n')
  expect(other.ok && other.gates.special.map(({ word }) => word)).toEqual(['server.url', 'typing.mode: basic', 'record.onError: warn'])
  expect(other.ok && other.gates.server).toEqual({ url: 'http://127.0.0.1:1/mcp' })
  const credentials = parseGatesFile('server: { url: "https://x/mcp", headers: { Authorization: "Bearer ${API_TOKEN}" } }\ntyping: { mode: strict }\n')
  expect(credentials.ok && credentials.gates.server).toEqual({ url: 'https://x/mcp', headers: { Authorization: 'Bearer ${API_TOKEN}' } })
  const leaked = parseGatesFile('server: { url: "https://x/mcp", headers: { Authorization: "Bearer hunter2" } }\ntyping: { mode: strict }\n')
  expect(JSON.stringify(leaked)).toMatch(/environment variable/)
  expect(JSON.stringify(leaked)).not.toContain('hunter2')
})

test('expressions that were read are evaluated as CEL', () => {
  const [rule] = gates?.rules.rules ?? []
  const [mark] = gates?.rules.marks ?? []
  expect(rule?.require?.evaluate({ fact: { status: 'open' }, args: {} })).toBe(true)
  expect(mark?.keys?.evaluate({ args: {}, result: { invoices: [{ id: 'INV-7' }] } })).toEqual(['INV-7'])
})

test('a pointer leads to its place, and one that leads nowhere to what would hold it', () => {
  const lines = WHOLE_FORMAT.split('\n')
  const at = (pointer: string): string | undefined => {
    const place = parsed.ok ? parsed.placeOf(pointer) : { line: 0, column: 0 }
    return lines[place.line - 1]?.slice(place.column - 1)
  }
  expect(at('/gates/rules/1/tools/0')).toBe('raise_purchase_order]')
  expect(at('/gates/limits/2')).toBe('{ repeats: 5 }')
  expect(at('/gates/allow/1')).toBe('"get_*"]')
  expect(at('/gates/rules/1/nothing/3')).toBe('gate: confirm')
  expect(at('/nowhere')).toBe('version: 1')
  for (const astray of ['/gates/limits/3', '/gates/limits/-1', '/gates/limits/', '/gates/limits/length', '/gates/limits/0.5']) {
    expect(at(astray)).toBe('- { tools: [send_email], calls: 5, per: 1h }')
  }
  for (const root of ['', 'gates', '/constructor', '/__proto__/x', '/~2']) expect(at(root)).toBe('version: 1')
})

test('a pointer through an alias leads to what the alias stands for', () => {
  const aliased = parseGatesFile('gates:\n  deny: &names [a, b]\n  allow: *names\n')
  expect(aliased.ok && aliased.placeOf('/gates/allow')).toEqual({ line: 3, column: 10 })
  expect(aliased.ok && aliased.placeOf('/gates/allow/1')).toEqual({ line: 2, column: 20 })
})
