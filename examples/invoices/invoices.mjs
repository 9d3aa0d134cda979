// An agent with three tools, in-process: the founding example from end to end.
import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { answerHold, createApproverToken, createGatekeeper } from '@callgate/core'
import { local } from '@callgate/core/local'
import { loadGates } from '@callgate/gates-file'

const tools = {
  list_invoices: () => [{ id: 'INV-7', status: 'open' }],
  set_invoice_status: ({ invoice_id, status }) => `${invoice_id} is ${status}`,
  raise_purchase_order: ({ supplier, total }) => `ordered from ${supplier} for ${total}`,
}
const run = (args, { tool }) => tools[tool](args)

const { gates } = await loadGates(fileURLToPath(new URL('gates.yml', import.meta.url)))
const ports = local()
const gatekeeper = createGatekeeper({ gates: gates.rules, ...ports })
const session = gatekeeper.session('chat-17', { principal: 'tenant-3' })

// The model is in a hurry. It reads the refusal as the tool's result, and does the prerequisite.
const pay = { tool: 'set_invoice_status', args: { invoice_id: 'INV-7', status: 'paid' } }
const early = await session.call(pay, run)
console.log(`${early.verdict}: ${early.message}\n`)
assert.equal(early.verdict, 'refused')

await session.call({ tool: 'list_invoices', args: {} }, run)
const paid = await session.call(pay, run)
console.log(`${paid.verdict}: ${paid.result}\n`)
assert.equal(paid.result, 'INV-7 is paid')

// Spending money waits for a person, and their yes runs exactly this call, once.
const order = { tool: 'raise_purchase_order', args: { supplier: 'Acme', total: 120 } }
const held = await session.call(order, run)
console.log(`${held.verdict}: ${held.question}\n`)
assert.equal(held.verdict, 'held')

const { token } = await createApproverToken(ports, { name: 'Finance desk', roles: ['finance'] })
await answerHold(ports, { holdId: held.holdId, verdict: 'approve', token })
const ordered = await session.resume(held.holdId, run)
console.log(`${ordered.verdict}: ${ordered.result}`)
assert.equal(ordered.result, 'ordered from Acme for 120')
assert.equal((await session.call(order, run)).verdict, 'held')
