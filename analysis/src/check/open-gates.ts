import type { ToolObstacles } from './tool-obstacles.ts'

/**
 * The gates that some sequence of calls opens, to a fixed point: a tool runs once all of its gates are open, and opens those that
 * it marks. A gate that is not among `markers` is taken as open. Linear in tools, gates and their links.
 */
export function openGates(obstacles: ReadonlyMap<string, ToolObstacles>, markers: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const marks = new Map<string, string[]>()
  for (const [gate, tools] of markers) for (const tool of tools) append(marks, tool, gate)
  const waiting = new Map<string, string[]>()
  const missing = new Map<string, number>()
  const runnable: string[] = []
  for (const [tool, { refusedBy, needs }] of obstacles) {
    if (refusedBy !== undefined) continue
    const closed = needs.filter((gate) => markers.has(gate))
    for (const gate of closed) append(waiting, gate, tool)
    missing.set(tool, closed.length)
    if (closed.length === 0) runnable.push(tool)
  }
  const open = new Set<string>()
  for (let tool = runnable.pop(); tool !== undefined; tool = runnable.pop()) {
    for (const gate of marks.get(tool) ?? []) {
      if (open.has(gate)) continue
      open.add(gate)
      for (const held of waiting.get(gate) ?? []) {
        const left = (missing.get(held) ?? 0) - 1
        missing.set(held, left)
        if (left === 0) runnable.push(held)
      }
    }
  }
  return open
}

function append(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}
