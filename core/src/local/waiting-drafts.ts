import type { EntryDraft } from '../record/entry.ts'

/** Appends that wait to be read until the answer that they follow is out of the way. */
export type WaitingDrafts = {
  /** Takes drafts, to be placed in a later turn of the event loop; past 1,000 appends, at once. */
  add(drafts: readonly EntryDraft[]): void
  /** Places all that waits, in order; what cannot be placed is remembered as lost. Never throws. */
  catchUp(): void
  /** Catches up, then throws the first loss that nobody was told of. */
  settle(): void
}

const MAX_WAITING = 1_000

/** Makes an empty queue; `place` puts what was appended together into the record, all of it or, where it throws, nothing. */
export function createWaitingDrafts(place: (drafts: readonly EntryDraft[]) => void): WaitingDrafts {
  let waiting: (readonly EntryDraft[])[] = []
  let immediate: NodeJS.Immediate | undefined
  let loss: { readonly error: unknown } | undefined

  const catchUp = (): void => {
    if (waiting.length === 0) return
    const batch = waiting
    waiting = []
    for (const drafts of batch) {
      try {
        place(drafts)
      } catch (error) {
        loss ??= { error }
      }
    }
  }
  const onImmediate = (): void => {
    immediate = undefined
    catchUp()
  }

  return {
    catchUp,
    add(drafts) {
      waiting.push(drafts)
      if (waiting.length > MAX_WAITING) catchUp()
      immediate ??= setImmediate(onImmediate)
    },
    settle() {
      catchUp()
      const told = loss
      loss = undefined
      if (told !== undefined) throw told.error
    },
  }
}
