import { CallgateError } from '@callgate/core'
import type { GatesFile } from '@callgate/gates-file/load'

const WHY: Readonly<Record<string, string>> = {
  'record.onError: warn': 'this version refuses what it cannot record',
  userText: 'this version reads no header for it',
  reload: 'this version reads the file once; only `reload: never` says so',
  'from: user': 'nobody tells the gateway what the user wrote, so the gate could never be marked',
  'channel: elicitation': 'this version asks through `callgate holds` only',
  showTo: 'this version shows redacted values to nobody',
}

const KEPT: ReadonlySet<string> = new Set(['typing.mode: basic', 'typing.mode: flexible', 'redact', 'server.url'])

/** Refuses a file with a word that this gateway would not keep: it must not look as if it did. Throws `gates_file_invalid`. */
export function refuseUnkeptWords({ special, reload }: GatesFile, path: string): void {
  const unkept = special.filter(({ word }) => !KEPT.has(word) && !(word === 'reload' && reload === 'never'))
  if (unkept.length === 0) return
  const lines = unkept.map(({ word, line, column }) =>
    `\n  ${path}:${line}:${column}: \`${word}\` is not kept by this gateway: ${WHY[word] ?? 'it is not built yet'}; remove it`)
  throw new CallgateError('gates_file_invalid', `The gates file ${path} asks for what this gateway does not do. Nothing runs until it is:${lines.join('')}`)
}
