import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What stands in the file that the demo's client reads, writes and moves. */
export const FIRST_NOTES = 'Order 1: paid\nOrder 2: open\nOrder 3: paid\nOrder 4: open\nOrder 5: paid\n'

/** What the client writes into it. */
export const SECOND_NOTES: string = `${FIRST_NOTES}Order 6: open\n`

/** The gates file of the demo, as it is printed. */
export const DEMO_GATES: string = `gates:
  rules:
    - gate: file_read             # nothing is written before it was read
      tools: [write_file, edit_file]
      message: Read the file with read_text_file first, so you know what you overwrite.
    - gate: confirm               # a person says yes
      tools: [move_file]
      message: Move this file?
  marks:
    - gate: file_read             # marked when the read has succeeded
      tools: [read_text_file]
typing:
  mode: strict                    # "3" becomes 3 where the tool wants a number; nothing else changes
`

/** The demo's temporary folder: the server is given `files`; rules and state lie beside it, out of its reach. */
export type DemoFolder = {
  readonly root: string
  readonly files: string
  readonly gates: string
  /** For `XDG_STATE_HOME`. */
  readonly state: string
  remove(): void
}

/** Makes the folder with its files; what is in it is gone after `remove`. */
export function createDemoFolder(): DemoFolder {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'callgate-demo-')))
  const files = join(root, 'files')
  const gates = join(root, 'gates.yml')
  mkdirSync(join(files, 'archive'), { recursive: true })
  writeFileSync(join(files, 'notes.txt'), FIRST_NOTES)
  writeFileSync(gates, DEMO_GATES)
  return {
    root,
    files,
    gates,
    state: join(root, 'state'),
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }),
  }
}
