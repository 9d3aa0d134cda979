import { expect, test } from 'vitest'
import { parseGatesFile } from './index.ts'

// Everything that the format knows; `keep` is quoted, since YAML would read its `: ` as a map.
const WHOLE_FORMAT = `version: 1
server:
  command: [npx, -y, "@modelcontextprotocol/server-filesystem", ./invoices]
  url: http://127.0.0.1:3001/mcp

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

const UNBUILT = [
  'url', 'key', 'require', 'when', 'otherwise', 'when', 'approvers', 'notBy', 'quorum', 'expires', 'channel', 'showTo',
  'annotations', 'unannotated', 'keys', 'keep', 'failedWhen', 'parse', 'expires', 'uses', 'clear', 'user', 'keys',
  'allow', 'deny', 'limits', 'default', 'unlisted', 'reload', 'redact', 'record', 'userText', 'examples',
]

test('each word of the format that is not built yet is refused by name, where it stands, and nothing else is said', () => {
  const parsed = parseGatesFile(WHOLE_FORMAT)
  const problems = parsed.ok ? [] : parsed.problems
  expect(problems.map(({ code }) => code)).toEqual(UNBUILT.map(() => 'not_built'))
  expect(problems.map(({ message }) => /^`(\w+)`/.exec(message)?.[1])).toEqual(UNBUILT)
  const lines = WHOLE_FORMAT.split('\n')
  for (const [index, { line, column }] of problems.entries()) {
    expect(lines[line - 1]?.slice(column - 1)).toMatch(new RegExp(`^${UNBUILT[index]}\\b`))
  }
  expect(problems[3]).toMatchObject({
    line: 14, column: 7, message: '`when` is part of the format but not built yet',
    hint: 'remove it, this version would not enforce it',
  })
})

test.each(['basic', 'flexible'])('the typing mode %s is refused as not built yet', (mode) => {
  const parsed = parseGatesFile(`typing:\n  mode: ${mode}\n`)
  expect(parsed).toMatchObject({ ok: false, problems: [{ code: 'not_built', line: 2, column: 9 }] })
})

test.each(['*', 'list_*', 'a*b'])('the wildcard %s is refused as not built yet wherever a tool is named', (name) => {
  const text = `gates:
  rules: [{ gate: a, tools: ["${name}"], message: m }]
  marks: [{ gate: a, tools: ["${name}"] }]
typing: { mode: strict, tools: { "${name}": { n: { minimum: 0 } } } }`
  const parsed = parseGatesFile(text)
  const found = parsed.ok ? [] : parsed.problems.map(({ code, line }) => `${code} ${line}`)
  expect(found).toEqual(['not_built 2', 'not_built 3', 'not_built 4'])
})
