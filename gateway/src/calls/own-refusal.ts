import type { Reason } from '@callgate/core'

/** Why the gateway itself refuses a call: what is wrong (`arguments`, `tool`, `stale`), and what the model reads of it. */
export type OwnRefusal = {
  readonly kind: 'refused'
  readonly cause: string
  readonly reason: Reason & { readonly message: string }
}

/** Makes a refusal; the message says what, and what next. */
export function ownRefusal(cause: string, code: string, message: string): OwnRefusal {
  return { kind: 'refused', cause, reason: { code, message } }
}

/** A name for a message, cut where it is long. */
export function quoted(name: string): string {
  return JSON.stringify(name.length > 200 ? `${name.slice(0, 200)}…` : name)
}

/** What an error says. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
