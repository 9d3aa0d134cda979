import { list } from './list-reader.ts'
import { map } from './map-reader.ts'
import { ELSEWHERE } from './elsewhere.ts'
import { about, located, refine } from './reader.ts'
import type { Located, Reader } from './reader.ts'
import { names } from './names-reader.ts'
import { commandWord, headerName, headerReference, httpUrl } from './text-reader.ts'

/** The server as it stands in the file: a command, or a URL. */
export type WrittenServer = { readonly command?: readonly string[]; readonly url?: Located<string>; readonly headers?: Located<Headers> }

type Headers = { readonly [name: string]: string }

const written = map({
  command: about('The program and its arguments, started without a shell.', command()),
  url: about('Where a server over Streamable HTTP listens.', located(httpUrl())),
  headers: about('Headers of every request to that URL, with the environment variables they come from.', located(names(headerName(), headerReference()))),
}, { oneOf: { keys: ['command', 'url'], why: 'nobody could tell where the server is' }, elsewhere: ELSEWHERE })

/** Reads the server; both ways to it at once are refused, and headers for a command are. */
export const serverFormat: Reader<WrittenServer> = refine(written, (server, _slot, reading) => {
  if (server.headers !== undefined && server.url === undefined) {
    reading.report(server.headers.offset, 'misplaced_key', '`headers` means nothing here: the server has no `url`', 'remove it')
    return undefined
  }
  if (server.command === undefined || server.url === undefined) return server
  reading.report(server.url.offset, 'misplaced_key', '`url` means nothing here: the server has a `command`', 'keep one of the two')
  return undefined
})

function command(): Reader<readonly string[]> {
  const reader = refine(list(located(commandWord()), 1), (parts, _slot, reading) => {
    const program = parts[0]
    if (program?.value.trim() !== '') return parts.map(({ value }) => value)
    reading.report(
      program.offset, 'empty_text',
      'the first word of `command` is empty, and it names the program',
      'name the program',
    )
    return undefined
  })
  const { schema } = commandWord()
  const program = { ...schema, pattern: '^[^\\u0000]*[^\\u0000\\s][^\\u0000]*$' }
  return { ...reader, schema: { type: 'array', minItems: 1, items: [program], additionalItems: schema } }
}
