import { readImports } from './guards/imports.ts'
import { readWorkspaces } from './workspace.ts'

/** The lines between which ARCHITECTURE.md keeps the generated picture. */
export const PICTURE_START = '<!-- picture: npm run graph -->'
export const PICTURE_END = '<!-- /picture -->'

const CORE = 'core'
const TEST = /\.(test|fixture)\.ts$/

/** Draws who imports whom, a box a package and a box a room of the core, as a mermaid flowchart; tests are left out. */
export async function drawLayers(root: string): Promise<string> {
  const folders = readWorkspaces(root).map(({ folder }) => folder)
  const roomOf = (path: string): string | undefined => {
    const folder = folders.find((each) => path.startsWith(`${each}/src/`))
    if (folder !== CORE) return folder
    const [room = '', rest] = path.slice('core/src/'.length).split('/')
    return rest === undefined ? CORE : `${CORE}/${room}`
  }
  const arrows = new Map<string, Set<string>>()
  for (const { from, to } of (await readImports(root)).edges) {
    const [source, target] = [roomOf(from), roomOf(to)]
    if (source === undefined || target === undefined || TEST.test(from)) continue
    const targets = arrows.get(source) ?? new Set()
    arrows.set(source, targets)
    if (source !== target && source !== CORE) targets.add(source.startsWith(CORE) || !target.startsWith(CORE) ? target : CORE)
    if (!arrows.has(target)) arrows.set(target, new Set())
  }
  return drawChart(arrows)
}

/** Puts a picture between the marks of a document; rejects a document without them. */
export function placePicture(document: string, picture: string): string {
  const [start, end] = [document.indexOf(PICTURE_START), document.indexOf(PICTURE_END)]
  if (start === -1 || end < start) throw new Error(`ARCHITECTURE.md has lost the lines ${PICTURE_START} and ${PICTURE_END}: put them back`)
  return `${document.slice(0, start)}${PICTURE_START}\n\n${picture}\n${document.slice(end)}`
}

function drawChart(arrows: ReadonlyMap<string, ReadonlySet<string>>): string {
  const rooms = [...arrows.keys()].toSorted()
  const inner = rooms.filter((room) => room.startsWith(`${CORE}/`)).map((room) => `    ${idOf(room)}[${room.slice(CORE.length + 1)}]`)
  const outer = rooms.filter((room) => !room.startsWith(CORE)).map((room) => `  ${idOf(room)}[${room}]`)
  const drawn = rooms.flatMap((room) => {
    const targets = [...(arrows.get(room) ?? [])].toSorted().map(idOf)
    return targets.length === 0 ? [] : [`  ${idOf(room)} --> ${targets.join(' & ')}`]
  })
  return ['```mermaid', 'flowchart TD', ...outer, `  subgraph ${CORE}`, ...inner, '  end', ...drawn, '```', ''].join('\n')
}

function idOf(room: string): string {
  return room.replaceAll(/[^a-z]+/g, '_')
}
