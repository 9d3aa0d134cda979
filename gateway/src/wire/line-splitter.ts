const LF = 0x0a
const MAX_PARTS = 256

/** Cuts a byte stream into lines; what follows the last LF is kept until its own LF comes. */
export type LineSplitter = {
  /** Hands each line that `chunk` completes to the reader, in order: the raw bytes, its LF included. */
  push(chunk: Buffer): void
  /** How many bytes stand after the last LF. */
  readonly restBytes: number
  /** Those bytes, of which at most `maxBytes`. */
  rest(maxBytes: number): Buffer
}

/** Who reads the lines; `tooLong` is called once, and no line after it. */
export type LineReader = { line(bytes: Buffer): void; tooLong(): void }

/** Makes a splitter for lines of at most `maxBytes`, LF included; a line within one chunk is a view of it, not a copy. */
export function createLineSplitter(maxBytes: number, reader: LineReader): LineSplitter {
  let parts: Buffer[] = []
  let restBytes = 0
  let isOver = false

  const keep = (part: Buffer): void => {
    if (part.length === 0) return
    restBytes += part.length
    parts.push(part)
    if (parts.length > MAX_PARTS) parts = [Buffer.concat(parts, restBytes)]
  }
  const take = (tail: Buffer): Buffer => {
    const line = parts.length === 0 ? tail : Buffer.concat([...parts, tail], restBytes + tail.length)
    parts = []
    restBytes = 0
    return line
  }
  const isWithin = (part: Buffer, bound: number): boolean => {
    if (restBytes + part.length <= bound) return true
    isOver = true
    take(part.subarray(0, 0))
    reader.tooLong()
    return false
  }

  return {
    push(chunk) {
      let from = 0
      while (!isOver) {
        const at = chunk.indexOf(LF, from)
        const part = at === -1 ? chunk.subarray(from) : chunk.subarray(from, at + 1)
        // A rest of `maxBytes` already lacks room for its LF.
        if (!isWithin(part, at === -1 ? maxBytes - 1 : maxBytes)) return
        if (at === -1) return keep(part)
        reader.line(take(part))
        from = at + 1
      }
    },
    get restBytes() {
      return restBytes
    },
    rest: (most) => Buffer.concat(parts).subarray(0, most),
  }
}
