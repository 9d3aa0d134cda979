import type { ServerResponse } from 'node:http'
import { errorAnswer } from '../../wire/answers.ts'
import type { RawId } from '../../wire/raw-id.ts'

/** Why a request is not taken: the status, a JSON-RPC error, the id where one is known, and headers. */
export type RequestRefusal = {
  readonly status: number
  readonly code: number
  readonly why: string
  readonly id?: RawId
  readonly headers?: Readonly<Record<string, string>>
}

/** JSON-RPC's code for what the transport refuses; MCP leaves the number free. */
export const TRANSPORT_ERROR = -32_000
/** MCP's code for headers that say something else than the message. */
export const HEADER_MISMATCH = -32_020

/** Answers with a refusal. The connection is closed where the request's body may still be coming. */
export function refuseRequest(response: ServerResponse, { status, code, why, id, headers = {} }: RequestRefusal): void {
  if (response.headersSent || response.destroyed) return
  const close = response.req.complete ? {} : { connection: 'close' }
  response.writeHead(status, { 'content-type': 'application/json', ...close, ...headers }).end(errorAnswer(id, code, why))
}
