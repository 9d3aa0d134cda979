import type { Readable } from 'node:stream'

/**
 * Leaves what a stream brings in its own bounded buffer, and the rest in the pipe, until the returned function is called by
 * who reads it from then on. Without it Node throws away what a child wrote and nobody had read when the child ended.
 */
export function holdStream(stream: Readable): () => void {
  const ignore = (): void => undefined
  stream.on('readable', ignore)
  stream.on('error', ignore)
  return () => {
    stream.off('readable', ignore)
    stream.off('error', ignore)
  }
}
