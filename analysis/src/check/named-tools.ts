import type { GateRules } from '@callgate/core'

/** A place in the rules that names a tool, by its JSON Pointer. */
export type NamedTool = { readonly name: string; readonly pointer: string }

/** Every name of a tool, or pattern of names, that stands in the rules, in file order. */
export function namedTools({ rules, marks = [], limits = [], allow = [], deny = [] }: GateRules): readonly NamedTool[] {
  const within = (list: string, items: readonly { readonly tools?: readonly string[] }[]): readonly NamedTool[] =>
    items.flatMap(({ tools = [] }, at) => tools.map((name, index) => ({ name, pointer: `/gates/${list}/${at}/tools/${index}` })))
  return [
    ...within('rules', rules),
    ...within('marks', marks),
    ...allow.map((name, index) => ({ name, pointer: `/gates/allow/${index}` })),
    ...deny.map((name, index) => ({ name, pointer: `/gates/deny/${index}` })),
    ...within('limits', limits),
  ]
}
