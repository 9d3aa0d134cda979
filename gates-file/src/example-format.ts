import type { JsonValue } from '@callgate/core'
import { ELSEWHERE } from './elsewhere.ts'
import { jsonMap } from './json-reader.ts'
import { map } from './map-reader.ts'
import { about } from './reader.ts'
import type { Reader } from './reader.ts'
import { words } from './text-reader.ts'
import { word } from './word-reader.ts'

/** A call that nothing came before, what becomes of it, and which gate decides. */
export type WrittenExample = {
  readonly call: { readonly tool: string; readonly args?: { readonly [key: string]: JsonValue } }
  readonly expect: 'refuse' | 'hold' | 'run'
  readonly by?: string
}

/** Reads one example. */
export const exampleFormat: Reader<WrittenExample> = map({
  call: about('The call, the first one of its session.', map({ tool: words(), args: jsonMap() }, { required: ['tool'], elsewhere: ELSEWHERE })),
  expect: about('What becomes of it.', word(['refuse', 'hold', 'run'])),
  by: about('The gate that decides, or `deny`, `allow`, `limits`, `default`, `unlisted`.', words()),
}, { required: ['call', 'expect'], elsewhere: ELSEWHERE })
