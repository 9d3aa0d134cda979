import type { ToolAnnotations, ToolSelector } from './gate-rule.ts'
import { createNameMatcher, isPattern } from './name-pattern.ts'

/** Finds which items are about a tool, in file order. */
export type SelectorIndex<T> = {
  /** The tools that some item spells out. */
  readonly names: Iterable<string>
  select(tool: string, annotations: ToolAnnotations): readonly T[]
}

/** An item by its place, and whether it is about a tool whose name was found. */
type Entry = { readonly place: number; isAbout(tool: string, annotations: ToolAnnotations): boolean }

const NONE: readonly never[] = Object.freeze([])

/**
 * Indexes items by the names that they spell out, and by how their patterns begin; those about every tool, and patterns that
 * begin with `*`, are tried one by one. An item with both names and annotations is about a tool that has both.
 */
export function createSelectorIndex<T>(items: readonly T[], selectorOf: (item: T) => ToolSelector): SelectorIndex<T> {
  const exact = new Map<string, Entry[]>()
  const byStart = new Map<string, Entry[]>()
  for (const [place, item] of items.entries()) {
    const { tools, annotations, unannotated } = selectorOf(item)
    const isSaid = (said: ToolAnnotations): boolean => annotations === undefined || isAnnotated(annotations, said, unannotated === true)
    if (tools === undefined) append(byStart, '', { place, isAbout: (_, said) => isSaid(said) })
    for (const name of new Set(tools)) {
      if (!isPattern(name)) append(exact, name, { place, isAbout: (_, said) => isSaid(said) })
      else {
        const matches = createNameMatcher(name)
        append(byStart, name.slice(0, name.indexOf('*')), { place, isAbout: (tool, said) => matches(tool) && isSaid(said) })
      }
    }
  }
  const lengths = [...new Set([...byStart.keys()].map(({ length }) => length))].sort((a, b) => a - b)
  return {
    names: exact.keys(),
    select(tool, annotations) {
      const places = new Set<number>()
      const take = (entries: readonly Entry[] = NONE): void => {
        for (const { place, isAbout } of entries) if (isAbout(tool, annotations)) places.add(place)
      }
      take(exact.get(tool))
      for (const length of lengths) {
        if (length > tool.length) break
        take(byStart.get(tool.slice(0, length)))
      }
      return places.size === 0 ? NONE : [...places].sort((a, b) => a - b).map((place) => items[place] as T)
    },
  }
}

function isAnnotated(wanted: ToolAnnotations, said: ToolAnnotations, unannotated: boolean): boolean {
  return (Object.keys(wanted) as (keyof ToolAnnotations)[]).every((hint) =>
    typeof said[hint] === 'boolean' ? said[hint] === wanted[hint] : unannotated)
}

function append(index: Map<string, Entry[]>, key: string, entry: Entry): void {
  const entries = index.get(key)
  if (entries === undefined) index.set(key, [entry])
  else entries.push(entry)
}
