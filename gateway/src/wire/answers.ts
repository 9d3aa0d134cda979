import type { RawId } from './raw-id.ts'

/** A JSON value that the gateway itself writes: nothing that came from the wire and must keep its text. */
export type PlainJson =
  string | number | boolean | null | readonly PlainJson[] | { readonly [key: string]: PlainJson | undefined }

/** A JSON-RPC error as one line; without an id it is `null`, as JSON-RPC wants where none could be read. */
export function errorAnswer(id: RawId | undefined, code: number, message: string): Buffer {
  return Buffer.from(`{"jsonrpc":"2.0","id":${id?.text ?? 'null'},"error":${JSON.stringify({ code, message })}}\n`)
}

/** A JSON-RPC result as one line, under the request's own id text. */
export function resultAnswer(id: RawId, result: PlainJson): Buffer {
  return Buffer.from(`{"jsonrpc":"2.0","id":${id.text},"result":${JSON.stringify(result)}}\n`)
}

/** A request of the gateway's own; `params` is JSON text. */
export function ownRequest(id: string, method: string, params: string): Buffer {
  return Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":${JSON.stringify(method)},"params":${params}}\n`)
}

/**
 * The `count`th progress notification of a call that waits: values so small that the server's own, which begin at 0 once
 * it runs, are greater; the token as the client wrote it.
 */
export function progressNotification(token: RawId, count: number, message: string): Buffer {
  const text = JSON.stringify(message)
  return Buffer.from(
    `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token.text},"progress":${count}e-9,"message":${text}}}\n`,
  )
}
