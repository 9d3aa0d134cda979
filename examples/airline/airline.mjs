// An airline's agent cancels what it has read, and only what the policy lets be cancelled.
import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { createGatekeeper } from '@callgate/core'
import { local } from '@callgate/core/local'
import { loadGates } from '@callgate/gates-file'

const reservation = (reservation_id, cabin) => JSON.stringify({
  reservation_id, cabin, insurance: 'no', created_at: '2024-05-01T10:00:00', total_baggages: 1, passengers: [{}], flights: [],
})

const { gates } = await loadGates(fileURLToPath(new URL('gates.yml', import.meta.url)))
// The arguments of these calls are made here, so nobody else need vouch for them.
const session = createGatekeeper({ gates: gates.rules, schemaless: 'allow', ...local() }).session('chat-1', { principal: 'member' })
const read = (id, cabin) => session.call({ tool: 'get_reservation_details', args: { reservation_id: id } }, () => reservation(id, cabin))
const cancel = (id) => session.call({ tool: 'cancel_reservation', args: { reservation_id: id } }, () => reservation(id, 'economy'))

const unread = await cancel('ZZZ111')
console.log(`${unread.verdict}: ${unread.message}\n`)
assert.equal(unread.verdict, 'refused')

await read('ZZZ111', 'economy')
const strict = await cancel('ZZZ111')
console.log(`${strict.verdict}: ${strict.message}\n`)
assert.equal(strict.verdict, 'refused')

await read('ZZZ222', 'business')
assert.equal((await cancel('ZZZ222')).verdict, 'ran')
