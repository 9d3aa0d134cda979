import { nearestNames } from './nearest-names.ts'
import type { ListedTool, ListingPage } from './read-listing.ts'

/** What the server says of one tool name. */
export type Lookup =
  | { readonly kind: 'listed'; readonly tool: ListedTool }
  | { readonly kind: 'ambiguous' }
  | { readonly kind: 'unlisted'; readonly nearest: readonly string[] }

/** The server's tools, as its own listings name them. */
export type ToolCatalogue = {
  /** Takes the page that was asked for with `cursor`: the first one starts anew, later ones add up. */
  learn(cursor: string | undefined, page: ListingPage): void
  /** Forgets all: the server said that its tools have changed, or a listing cannot be told from another. */
  drop(): void
  /** Undefined while no complete listing is known. */
  lookUp(name: string): Lookup | undefined
}

/** Bounds of one listing; over them it is never complete, and calls stay refused. */
export const MAX_PAGES = 100
const MAX_TOOLS = 10_000

type Building = { readonly tools: Map<string, ListedTool | undefined>; readonly next: string; readonly pages: number }

/** Makes an empty catalogue; `onFirst` hears the names of the first whole listing. A name that stands twice in one listing is ambiguous: nobody can tell which tool would run. */
export function createToolCatalogue(onFirst?: (names: readonly string[]) => void): ToolCatalogue {
  let complete: ReadonlyMap<string, ListedTool | undefined> | undefined
  let isFirst = true
  let building: Building | undefined

  const drop = (): void => {
    complete = undefined
    building = undefined
  }

  return {
    drop,
    learn(cursor, { tools: listed, nextCursor }) {
      if (cursor === undefined) drop()
      else if (building?.next !== cursor) return
      const tools = building?.tools ?? new Map<string, ListedTool | undefined>()
      const pages = (building?.pages ?? 0) + 1
      for (const tool of listed) tools.set(tool.name, tools.has(tool.name) ? undefined : tool)
      building = undefined
      if (tools.size > MAX_TOOLS || pages > MAX_PAGES) return
      if (nextCursor === undefined) {
        complete = tools
        if (isFirst) onFirst?.([...tools.keys()])
        isFirst = false
      } else building = { tools, next: nextCursor, pages }
    },
    lookUp(name) {
      if (complete === undefined) return undefined
      const tool = complete.get(name)
      if (tool !== undefined) return { kind: 'listed', tool }
      return complete.has(name) ? { kind: 'ambiguous' } : { kind: 'unlisted', nearest: nearestNames(name, complete.keys()) }
    },
  }
}
