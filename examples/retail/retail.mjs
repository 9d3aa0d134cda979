// A shop's agent changes an order by its status, and knows the new status from the change's own answer.
import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { createGatekeeper } from '@callgate/core'
import { local } from '@callgate/core/local'
import { loadGates } from '@callgate/gates-file'

const order = (status) => JSON.stringify({
  order_id: '#Z0000001', status, items: [{ item_id: '1' }], payment_history: [{ payment_method_id: 'paypal_1' }],
})

const { gates } = await loadGates(fileURLToPath(new URL('gates.yml', import.meta.url)))
// The arguments of these calls are made here, so nobody else need vouch for them.
const session = createGatekeeper({ gates: gates.rules, schemaless: 'allow', ...local() }).session('chat-1', { principal: 'customer' })
const call = (tool, args, result) => session.call({ tool, args }, () => result)

await call('find_user_id_by_email', { email: 'customer@example.com' }, 'customer_1')
await call('get_order_details', { order_id: '#Z0000001' }, order('pending'))
await call('get_product_details', { product_id: '9' }, JSON.stringify({ variants: { 2: { item_id: '2', available: true }, 3: { item_id: '3', available: false } } }))

const soldOut = { order_id: '#Z0000001', item_ids: ['1'], new_item_ids: ['3'], payment_method_id: 'paypal_1' }
assert.equal((await call('modify_pending_order_items', soldOut, order('pending'))).verdict, 'refused')

const change = { order_id: '#Z0000001', item_ids: ['1'], new_item_ids: ['2'], payment_method_id: 'paypal_1' }
assert.equal((await call('modify_pending_order_items', change, order('pending (items modified)'))).verdict, 'ran')

const again = await call('modify_pending_order_items', change, order('pending'))
console.log(`${again.verdict}: ${again.message}`)
assert.equal(again.verdict, 'refused')
