import { revealPlain } from '../reveal.ts'

/** Says warnings, each kind once; `rest` says how many were not said, if any. */
export type Warner = { warn(message: string): void; rest(): void }

const MAX_KINDS = 20

/** Makes a warner. Warnings of one line of the rules that differ in numbers alone are of one kind; of kinds the first 20 are said. */
export function createWarner(say: (line: string) => void): Warner {
  const kinds = new Set<string>()
  let unsaid = 0
  return {
    warn(message) {
      const kind = message.replaceAll(/(?<!line )\b\d+\b/g, '0')
      if (kinds.has(kind) || kinds.size >= MAX_KINDS) {
        unsaid += 1
        return
      }
      kinds.add(kind)
      say(`callgate: warning: ${revealPlain(message)}\n`)
    },
    rest() {
      if (unsaid > 0) say(`callgate: ${unsaid} more warnings like these were not shown\n`)
    },
  }
}
