import type { Slot } from '../calls/gated-call.ts'

/** Keeps what the server sends in the server's order, while the answers to gated calls wait for the gatekeeper. */
export type OrderedOutlet = {
  /** Hands bytes on, after every place reserved before. */
  write(bytes: Buffer): void
  /** Takes the next place in the order; what comes later waits until it is filled or skipped. */
  reserve(): Slot
  /** Bytes that wait behind a place not yet filled. */
  readonly waitingBytes: number
}

type Place = { bytes: Buffer | 'skipped' | undefined }

/**
 * Makes an outlet to `sink`. A place is filled when the gatekeeper has written a call's marks and outcome, so that the
 * store's own bounds bound the wait; `onMoved` is called after places were filled and what waited was handed on.
 */
export function createOrderedOutlet(sink: (bytes: Buffer) => void, onMoved: () => void): OrderedOutlet {
  const places: Place[] = []
  let waitingBytes = 0

  const moveOn = (): void => {
    let moved = 0
    for (let place = places[moved]; place?.bytes !== undefined; place = places[moved]) {
      moved += 1
      if (place.bytes === 'skipped') continue
      waitingBytes -= place.bytes.length
      sink(place.bytes)
    }
    places.splice(0, moved)
    if (moved > 0) onMoved()
  }

  return {
    write(bytes) {
      if (places.length === 0) return sink(bytes)
      waitingBytes += bytes.length
      places.push({ bytes })
    },
    reserve() {
      const place: Place = { bytes: undefined }
      places.push(place)
      return {
        fill(bytes) {
          if (place.bytes !== undefined) return
          waitingBytes += bytes.length
          place.bytes = bytes
          moveOn()
        },
        skip() {
          if (place.bytes !== undefined) return
          place.bytes = 'skipped'
          moveOn()
        },
      }
    },
    get waitingBytes() {
      return waitingBytes
    },
  }
}
