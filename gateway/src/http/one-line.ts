const LF = 0x0a
const CR = 0x0d
const SPACE = 0x20

/**
 * A JSON text as one line, LF included: every CR and LF in it is a space, which means the same between tokens, and no CR or LF
 * may stand inside one. Who takes a text that is no JSON must refuse it before.
 */
export function oneLine(text: Buffer): Buffer {
  const line = Buffer.allocUnsafe(text.length + 1)
  text.copy(line)
  line[text.length] = LF
  for (const end of [LF, CR])
    for (let at = line.indexOf(end); at !== -1 && at < text.length; at = line.indexOf(end, at + 1)) line[at] = SPACE
  return line
}
