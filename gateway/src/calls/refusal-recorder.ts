import type { Clock, EntryDraft, Random, Reason, Store } from '@callgate/core'

/** Writes the decision's entry for a call that the gateway itself refused; a refusal stays one even where that fails. */
export type RefusalRecorder = (tool: string, cause: string, reason: Reason & { readonly message: string }) => void

/** What the recorder writes with. */
export type RecorderPorts = {
  readonly store: Pick<Store, 'record'>
  readonly clock: Clock
  readonly random: Random
  readonly principal: string
  readonly session: string
  readonly server: string
  log(line: string): void
}

/** Makes the recorder of one session. The arguments are left out: they were not read, or are no exact value. */
export function createRefusalRecorder({ store, clock, random, principal, session, server, log }: RecorderPorts): RefusalRecorder {
  return (tool, cause, { code, message }) => {
    const draft: EntryDraft = {
      kind: 'decision',
      at: clock.now(),
      principal,
      session,
      call: random.id(),
      data: {
        verdict: 'refuse',
        tool: tool.toWellFormed(),
        server,
        args: null,
        omitted: code,
        repaired: false,
        reasons: [{ policy: 'gateway', code, message: message.toWellFormed() }],
        unmet: [],
        cause,
        message: message.toWellFormed(),
      },
    }
    store.record
      .append([draft], 'soon')
      .catch((error: unknown) => log(`a refusal of ${JSON.stringify(tool)} could not be recorded: ${String(error)}`))
  }
}
