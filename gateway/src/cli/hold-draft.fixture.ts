import type { HoldDraft } from '@callgate/core'

/** A call that waits for a person until an hour from now, with `args` as its canonical arguments. */
export function holdDraft(id: string, args = '{"a":1}', changes: Partial<HoldDraft> = {}): HoldDraft & { readonly id: string } {
  const createdAt = Date.now()
  return {
    id,
    binding: `binding-of-${id}`,
    principal: 'somebody:/etc/gates.yml',
    session: 's-1',
    server: 'files',
    tool: 'move_file',
    args,
    question: 'Move this file?',
    createdAt,
    expiresAt: createdAt + 3_600_000,
    ...changes,
  }
}
