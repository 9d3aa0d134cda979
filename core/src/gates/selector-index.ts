import type { ToolAnnotations, ToolSelector } from './gate-rule.ts'
import { createNameMatcher, isPattern } from './name-pattern.ts'

/** Finds which items are about a tool, in file order. */
export type SelectorIndex<T> = {
  /** The tools that some item spells out. */
  readonly names: Iterable<string>
  select(tool: string, annotations: ToolAnnotations): readonly T[]
}

type Broad<T> = { readonly place: number; readonly item: T; matches(tool: string, annotations: ToolAnnotations): boolean }

const NONE: readonly never[] = Object.freeze([])

/**
 * Indexes items by the tools that they spell out; only those with a `*`, with annotations or about every tool are tried one by
 * one. An item with both names and annotations is about a tool that has both.
 */
export function createSelectorIndex<T>(items: readonly T[], selectorOf: (item: T) => ToolSelector): SelectorIndex<T> {
  const exact = new Map<string, number[]>()
  const broad: Broad<T>[] = []
  for (const [place, item] of items.entries()) {
    const { tools, annotations, unannotated } = selectorOf(item)
    if (tools === undefined || annotations !== undefined || tools.some(isPattern)) {
      const matchers = tools?.map(createNameMatcher)
      broad.push({
        place,
        item,
        matches: (tool, said) =>
          (matchers === undefined || matchers.some((matches) => matches(tool)))
          && (annotations === undefined || isAnnotated(annotations, said, unannotated === true)),
      })
    } else for (const tool of new Set(tools)) append(exact, tool, place)
  }
  const itemAt = (place: number): T => items[place] as T
  return {
    names: exact.keys(),
    select(tool, annotations) {
      const found = exact.get(tool)
      const matched = broad.filter((each) => each.matches(tool, annotations))
      if (matched.length === 0) return found?.map(itemAt) ?? NONE
      return [...(found ?? NONE), ...matched.map(({ place }) => place)].sort((a, b) => a - b).map(itemAt)
    },
  }
}

function isAnnotated(wanted: ToolAnnotations, said: ToolAnnotations, unannotated: boolean): boolean {
  return (Object.keys(wanted) as (keyof ToolAnnotations)[]).every((hint) =>
    typeof said[hint] === 'boolean' ? said[hint] === wanted[hint] : unannotated)
}

function append(index: Map<string, number[]>, tool: string, place: number): void {
  const places = index.get(tool)
  if (places === undefined) index.set(tool, [place])
  else places.push(place)
}
