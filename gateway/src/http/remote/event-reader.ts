/** Who reads the events of a stream; `tooLong` is called once, and nothing after it. */
export type EventListener = {
  /** The data of one message event: its lines joined by spaces, so that it is one line, without an LF. */
  data(bytes: Buffer): void
  tooLong(): void
}

/** Takes an event stream apart, as bytes: nothing in the data is decoded. */
export type EventReader = {
  push(chunk: Buffer): void
  /** The id of the last event that had one a header can carry, each byte a character, as headers are written. */
  readonly lastId: string | undefined
  /** What the server wants to pass before the stream is opened anew. */
  readonly retryMs: number | undefined
}

const LF = 0x0a
const CR = 0x0d
const SPACE = Buffer.from(' ')
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])
/** Parts of one line before they are joined, so that a line of single bytes is not a list of buffers. */
const MAX_PARTS = 1_024

const HEADER = /^[\x20-\x7e\x80-\xff]{0,1024}$/

type Event = { data: Buffer[]; name: string; id?: string }

/** Makes a reader for events of at most `maxBytes`; an event that the stream's end cuts off is never told. */
export function createEventReader(maxBytes: number, listener: EventListener): EventReader {
  const settings: { lastId?: string; retryMs?: number } = {}
  let event: Event = { data: [], name: '' }
  let eventBytes = 0
  let isOver = false

  const dispatch = (): void => {
    const { data, name, id } = event
    event = { data: [], name: '' }
    eventBytes = 0
    if (id !== undefined) settings.lastId = id
    const joined = data.length === 1 ? data[0] : joinLines(data)
    if (joined !== undefined && joined.length > 0 && (name === '' || name === 'message')) listener.data(joined)
  }
  const lines = createAnyLineSplitter({
    line(bytes) {
      if (bytes.length === 0) dispatch()
      else readField(bytes, event, settings)
    },
    read(size) {
      eventBytes += size
      if (eventBytes <= maxBytes || isOver) return !isOver
      isOver = true
      listener.tooLong()
      return false
    },
  })

  return {
    push: (chunk) => lines(chunk),
    get lastId() {
      return settings.lastId
    },
    get retryMs() {
      return settings.retryMs
    },
  }
}

function readField(line: Buffer, event: Event, settings: { retryMs?: number }): void {
  const colon = line.indexOf(':')
  const field = line.toString('latin1', 0, colon === -1 ? line.length : colon)
  const from = colon === -1 ? line.length : line[colon + 1] === SPACE[0] ? colon + 2 : colon + 1
  const value = line.subarray(from)
  if (field === 'data') event.data.push(value)
  else if (field === 'event') event.name = value.toString('utf8')
  else if (field === 'id' && HEADER.test(value.toString('latin1'))) event.id = value.toString('latin1')
  else if (field === 'retry' && /^\d{1,9}$/.test(value.toString('latin1'))) settings.retryMs = Number(value.toString('latin1'))
}

function joinLines(lines: readonly Buffer[]): Buffer | undefined {
  return lines.length === 0 ? undefined : Buffer.concat(lines.flatMap((line, index) => (index === 0 ? [line] : [SPACE, line])))
}

type AnyLines = { line(bytes: Buffer): void; /** How many bytes come next; false ends the reading. */ read(size: number): boolean }

/** Lines that end in LF, CR or both, without their ends. */
function createAnyLineSplitter({ line, read }: AnyLines): (chunk: Buffer) => void {
  let parts: Buffer[] = []
  let isAfterReturn = false
  let isFirst = true

  const end = (tail: Buffer): void => {
    const whole = parts.length === 0 ? tail : Buffer.concat([...parts, tail])
    parts = []
    line(isFirst && whole.subarray(0, 3).equals(BYTE_ORDER_MARK) ? whole.subarray(3) : whole)
    isFirst = false
  }
  const keep = (tail: Buffer): void => {
    if (tail.length > 0) parts.push(tail)
    if (parts.length > MAX_PARTS) parts = [Buffer.concat(parts)]
  }

  return (chunk) => {
    let from = isAfterReturn && chunk[0] === LF ? 1 : 0
    if (chunk.length > 0) isAfterReturn = false
    let returnAt = chunk.indexOf(CR, from)
    while (from < chunk.length) {
      const feedAt = chunk.indexOf(LF, from)
      if (returnAt !== -1 && returnAt < from) returnAt = chunk.indexOf(CR, from)
      const at = returnAt === -1 || (feedAt !== -1 && feedAt < returnAt) ? feedAt : returnAt
      if (!read((at === -1 ? chunk.length : at) - from)) return
      if (at === -1) return keep(chunk.subarray(from))
      end(chunk.subarray(from, at))
      from = at + 1
      if (chunk[at] !== CR) continue
      if (from === chunk.length) isAfterReturn = true
      else if (chunk[from] === LF) from += 1
    }
  }
}
