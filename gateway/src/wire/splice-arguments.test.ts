import { Candidate } from '@callgate/core'
import type { Change, JsonObject } from '@callgate/core'
import { scanJson } from '@callgate/core/wire'
import { expect, test } from 'vitest'
import { lastMember } from './read-message.ts'
import { spliceArguments } from './splice-arguments.ts'

function splice(args: string, changes: readonly Change[], admitted: string): string {
  const before = '{"a":1.0, "arguments" :'
  const text = `${before}${args} ,"z":"\\u00e9"}\r\n`
  const node = lastMember(scanJson(text, 1), 'arguments')
  const spliced =
    node === undefined ? '' : spliceArguments(text, node, changes, Candidate.ofWire(admitted).fields['arguments'] as JsonObject)
  expect(spliced.startsWith(before) && spliced.endsWith(' ,"z":"\\u00e9"}\r\n')).toBe(true)
  return spliced.slice(before.length, -' ,"z":"\\u00e9"}\r\n'.length)
}

test.each<readonly [string, string, readonly Change[], string, string]>([
  ['one value', '{ "n" : "7" , "m":1e2}', [{ pointer: '/arguments/n', after: 7 }], '{"n":7,"m":1e2}', '{ "n" : 7 , "m":1e2}'],
  [
    'several, in any order',
    '{"a":"1","b":"2"}',
    [
      { pointer: '/arguments/b', after: 2 },
      { pointer: '/arguments/a', after: 1 },
    ],
    '{"a":1,"b":2}',
    '{"a":1,"b":2}',
  ],
  ['an escaped key', '{"\\u006e":"true"}', [{ pointer: '/arguments/n', after: true }], '{"n":true}', '{"\\u006e":true}'],
  [
    'a key with a slash and a tilde',
    '{"a/b~c":"1"}',
    [{ pointer: '/arguments/a~1b~0c', after: 1 }],
    '{"a/b~c":1}',
    '{"a/b~c":1}',
  ],
  [
    'deep in arrays',
    '{"a":[ 0, {"b":"1"} ]}',
    [{ pointer: '/arguments/a/1/b', after: 1 }],
    '{"a":[0,{"b":1}]}',
    '{"a":[ 0, {"b":1} ]}',
  ],
  [
    'an integer beyond the safe range',
    '{"a":"9007199254740993"}',
    [{ pointer: '/arguments/a', after: 9007199254740993n }],
    '{"a":9007199254740993}',
    '{"a":9007199254740993}',
  ],
  ['text with what JSON escapes', '{"a":1}', [{ pointer: '/arguments/a', after: '"\n' }], '{"a":"\\"\\n"}', '{"a":"\\"\\n"}'],
  ['a dropped value goes with its name and one comma', '{"a":{ "b":1.0, "c":"" }, "d" :1}', [{ pointer: '/arguments/a/c' }], '{"a":{"b":1},"d":1}', '{"a":{ "b":1.0 }, "d" :1}'],
  ['dropped values at the front', '{ "a":"" , "b":null, "c" : 1e2 }', [{ pointer: '/arguments/b' }, { pointer: '/arguments/a' }], '{"c":100}', '{ "c" : 1e2 }'],
  [
    'dropped values on both sides, and one that changed between',
    '{"a":"", "b" :"\\u0037", "c":"", "d":null}',
    [{ pointer: '/arguments/a' }, { pointer: '/arguments/b', before: '7', after: 7 }, { pointer: '/arguments/c' }, { pointer: '/arguments/d' }],
    '{"b":7}',
    '{"b" :7}',
  ],
  ['all values dropped', '{ "a":"", "b":"" }', [{ pointer: '/arguments/a' }, { pointer: '/arguments/b' }], '{}', '{}'],
  ['a dropped value beside an added one', '{ "a":"", "b":1.0 }', [{ pointer: '/arguments/a' }, { pointer: '/arguments/c', after: 2 }], '{"b":1,"c":2}', '{"b":1,"c":2}'],
  ['a wrapped item keeps its spelling', '{"a":"\\u0041,b"}', [{ pointer: '/arguments/a', before: 'A,b', after: ['A,b'] }], '{"a":["A,b"]}', '{"a":["\\u0041,b"]}'],
  ['the whole of the arguments, sent as one text', '"{\\"n\\": 9007199254740993}"', [{ pointer: '/arguments', before: '{"n": 9007199254740993}', after: { n: 9007199254740993n } }], '{"n":9007199254740993}', '{"n":9007199254740993}'],
  ['an added value', '{ "a":1 }', [{ pointer: '/arguments/b', after: 2 }], '{"a":1,"b":2}', '{"a":1,"b":2}'],
  [
    'a change inside what is written anew',
    '{"a":{"b":"1","c":""}}',
    [{ pointer: '/arguments/a/b', after: 1 }, { pointer: '/arguments/a/c' }],
    '{"a":{"b":1}}',
    '{"a":{"b":1}}',
  ],
  ['the whole', '"{\\"a\\":1}"', [{ pointer: '/arguments', after: { a: 1 } }], '{"a":1}', '{"a":1}'],
])('%s', (_, args, changes, admitted, expected) => {
  expect(splice(args, changes, admitted)).toBe(expected)
})
