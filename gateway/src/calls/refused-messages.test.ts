import { expect, test } from 'vitest'
import { startGateway } from '../stdio/gateway.fixture.ts'

const CALL = '"method":"tools/call","params":{"name":"look"}'
const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600
const INVALID_PARAMS = -32_602

/** What a client may send to get a call past a gate: the line, JSON-RPC's code, and the id that the refusal bears. */
const ATTACKS: readonly (readonly [string, string, number, number | string | null])[] = [
  [
    'two methods, the call last',
    '{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call","params":{"name":"write"}}',
    INVALID_REQUEST,
    1,
  ],
  [
    'two methods, one escaped',
    '{"jsonrpc":"2.0","id":1,"method":"ping","m\\u0065thod":"tools/call","params":{"name":"write"}}',
    INVALID_REQUEST,
    1,
  ],
  ['two ids', `{"jsonrpc":"2.0","id":1,"id":2,${CALL}}`, INVALID_REQUEST, null],
  [
    'two params',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look"},"params":{"name":"write"}}',
    INVALID_REQUEST,
    1,
  ],
  ['two names', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look","name":"write"}}', INVALID_REQUEST, 1],
  [
    'two arguments',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look","arguments":{},"arguments":{"a":1}}}',
    INVALID_REQUEST,
    1,
  ],
  [
    'a key twice in params of another method',
    '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"a","uri":"b"}}',
    INVALID_REQUEST,
    1,
  ],
  [
    'a key twice in the arguments',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look","arguments":{"a":1,"a":2}}}',
    INVALID_REQUEST,
    1,
  ],
  [
    'a key twice deep in the arguments',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look","arguments":{"a":[{"b":1,"\\u0062":2}]}}}',
    INVALID_REQUEST,
    1,
  ],
  ['Method', '{"jsonrpc":"2.0","id":1,"Method":"tools/call","params":{"name":"look"}}', INVALID_REQUEST, 1],
  ['a method beside METHOD', '{"jsonrpc":"2.0","id":1,"method":"ping","METHOD":"tools/call"}', INVALID_REQUEST, 1],
  [
    'PARAMS',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","PARAMS":{"name":"write"},"params":{"name":"look"}}',
    INVALID_REQUEST,
    1,
  ],
  ['Id', `{"jsonrpc":"2.0","Id":1,"id":2,${CALL}}`, INVALID_REQUEST, null],
  ['Name', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look","Name":"write"}}', INVALID_REQUEST, 1],
  [
    'Arguments',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look","arguments":{},"Arguments":{"a":1}}}',
    INVALID_REQUEST,
    1,
  ],
  [
    'argumentſ with a long s',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look","argumentſ":{"a":1}}}',
    INVALID_REQUEST,
    1,
  ],
  ['a batch', `[{"jsonrpc":"2.0","id":1,${CALL}}]`, INVALID_REQUEST, null],
  [
    'a message in a message, between carriage returns',
    `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":\r{"jsonrpc":"2.0","id":2,${CALL}}\r}}`,
    INVALID_REQUEST,
    1,
  ],
  ['a string', '"tools/call"', INVALID_REQUEST, null],
  ['a number', '17', INVALID_REQUEST, null],
  ['null', 'null', INVALID_REQUEST, null],
  ['an object that is no message', '{"jsonrpc":"2.0","id":1}', INVALID_REQUEST, 1],
  ['a method that is no string', '{"jsonrpc":"2.0","id":1,"method":["tools/call"],"params":{"name":"look"}}', INVALID_REQUEST, 1],
  ['an id that is an object', `{"jsonrpc":"2.0","id":{},${CALL}}`, INVALID_REQUEST, null],
  ['a byte order mark', `\ufeff{"jsonrpc":"2.0","id":1,${CALL}}`, PARSE_ERROR, null],
  ['no JSON', '{"jsonrpc":"2.0","id":1,', PARSE_ERROR, null],
  ['two messages on one line', `{"jsonrpc":"2.0","id":1,"method":"ping"}{"jsonrpc":"2.0","id":2,${CALL}}`, PARSE_ERROR, null],
  ['a call without an id', '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"look"}}', INVALID_REQUEST, null],
  ['a call whose id is null', `{"jsonrpc":"2.0","id":null,${CALL}}`, INVALID_REQUEST, null],
  ['a call without params', '{"jsonrpc":"2.0","id":1,"method":"tools/call"}', INVALID_PARAMS, 1],
  ['a call with params in an array', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":["look"]}', INVALID_PARAMS, 1],
  ['a call whose name is no string', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":1}}', INVALID_PARAMS, 1],
  ['an id of the gateway’s own', `{"jsonrpc":"2.0","id":"callgate:1",${CALL}}`, INVALID_REQUEST, 'callgate:1'],
  [
    'an id of the gateway’s own, escaped',
    '{"jsonrpc":"2.0","id":"\\u0063allgate:1","method":"ping"}',
    INVALID_REQUEST,
    'callgate:1',
  ],
]

test('what could be read in two ways is answered with an error and never forwarded', async () => {
  const gateway = startGateway()
  gateway.send(...ATTACKS.map(([, line]) => line))
  gateway.send('{"jsonrpc":"2.0","id":"end","method":"ping"}')
  await gateway.answer('end')
  expect(gateway.forwarded()).toEqual(['{"jsonrpc":"2.0","id":"end","method":"ping"}'])
  const answers = gateway.messages().filter(({ id }) => id !== 'end')
  expect(answers.map(({ id, error }, index) => [ATTACKS[index]?.[0], error?.code, id])).toEqual(
    ATTACKS.map(([what, , code, id]) => [what, code, id]),
  )
  expect(gateway.logged).toHaveLength(ATTACKS.length)
})

test.each([
  ['no UTF-8', '{"jsonrpc":"2.0","id":1,"method":"\xff"}'],
  ['an overlong slash', '{"jsonrpc":"2.0","id":1,"method":"tools\xc0\xafcall"}'],
  ['a lone surrogate in bytes', '{"jsonrpc":"2.0","id":1,"method":"\xed\xa0\x80"}'],
])('bytes that spell no text are refused: %s', async (_, latin1) => {
  const gateway = startGateway()
  gateway.input.write(Buffer.from(`${latin1}\n`, 'latin1'))
  const { id, error } = await gateway.next((message) => message.error !== undefined)
  expect([id, error?.code, error?.message]).toEqual([null, PARSE_ERROR, 'The message is not UTF-8.'])
})
