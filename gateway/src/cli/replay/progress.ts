import type { Output } from '../surroundings.ts'

/** How far a long command is, on a terminal alone. */
export type Progress = { read(bytes: number): void; called(): void; say(line: string): void; end(): void }

const EVERY_MS = 200
const CLEAR = '\r\u001b[K'

/** Makes a line on `stderr` that is drawn anew five times a second, of `total` bytes to read, 0 where that is not known; nothing where it is no terminal. */
export function createProgress(stderr: Output, total: number): Progress {
  const start = performance.now()
  let bytes = 0
  let calls = 0
  let drawn = start
  const isDrawing = stderr.isTTY === true
  const draw = (): void => {
    if (!isDrawing) return
    const now = performance.now()
    if (now - drawn < EVERY_MS) return
    drawn = now
    const share = total === 0 ? '' : `${Math.min(100, Math.floor((100 * bytes) / total))}%  `
    stderr.write(`${CLEAR}${share}${calls} calls, ${Math.round((calls * 1_000) / Math.max(1, now - start))} a second`)
  }
  return {
    read(count) {
      bytes += count
      draw()
    },
    called() {
      calls += 1
      draw()
    },
    say(line) {
      stderr.write(isDrawing && drawn > start ? CLEAR + line : line)
    },
    end() {
      if (isDrawing && drawn > start) stderr.write(CLEAR)
    },
  }
}
