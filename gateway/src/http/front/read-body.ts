import type { IncomingMessage } from 'node:http'

/** How a body could not be had: it is over the bound, others fill the room for bodies, or its sender left. */
export type NoBody = 'too long' | 'no room' | 'gone'

/** Reads bodies of at most `maxBytes` each, and of at most `totalBytes` at a time. */
export type BodyReader = (request: IncomingMessage) => Promise<Buffer | NoBody>

/** Makes a reader. How slow a body may be is the server's own bound. */
export function createBodyReader(maxBytes: number, totalBytes: number): BodyReader {
  let total = 0
  return (request) => {
    const announced = Number(request.headers['content-length'] ?? 0)
    if (announced > maxBytes) return Promise.resolve('too long')
    return new Promise((resolve) => {
      const parts: Buffer[] = []
      let bytes = 0
      const end = (result: Buffer | NoBody): void => {
        total -= bytes
        bytes = 0
        request.off('data', take)
        resolve(result)
      }
      const take = (chunk: Buffer): void => {
        bytes += chunk.length
        total += chunk.length
        if (bytes > maxBytes) return end('too long')
        if (total > totalBytes) return end('no room')
        parts.push(chunk)
      }
      request.on('data', take)
      request.once('end', () => end(Buffer.concat(parts)))
      for (const event of ['close', 'error']) request.once(event, () => end('gone'))
    })
  }
}
