import { compileLimits } from './compile-limits.ts'
import type { CompiledLimit } from './compile-limits.ts'
import type { GateRule, GateRules, MarkRule, ToolAnnotations } from './gate-rule.ts'
import { createNameMemo } from './name-memo.ts'
import { createSelectorIndex } from './selector-index.ts'

/** A rule, and whether it looks at the arguments of the call. */
export type CompiledRule = { readonly rule: GateRule; readonly looksAtArguments: boolean }

/** All that the rules say of one tool, each list in file order. */
export type ToolTerms = {
  readonly rules: readonly CompiledRule[]
  /** Who is marked when it has succeeded, and what is cleared when it starts. */
  readonly marks: readonly MarkRule[]
  readonly clears: readonly MarkRule[]
  readonly limits: readonly CompiledLimit[]
  /** `denied` by `deny`, `outside` of `allow`; `unnamed` where no rule is about it and no `allow` names it. */
  readonly standing: 'denied' | 'outside' | 'unnamed' | 'named'
  /** True where a rule, a sum or a clear of it looks at arguments. */
  readonly looksAtArguments: boolean
}

/** The terms of a tool, given what its server says of it. */
export type TermFinder = (tool: string, annotations?: ToolAnnotations) => ToolTerms

const SAYS_NOTHING: ToolAnnotations = Object.freeze({})

/** Indexes checked rules by tool name. What was found for a name is remembered: the same frozen terms each time. */
export function createTermFinder({ rules, marks = [], limits = [], allow, deny = [] }: GateRules): TermFinder {
  const compiled = rules.map((rule) => ({ rule, looksAtArguments: (rule.key ?? rule.require ?? rule.when) !== undefined }))
  const ruleIndex = createSelectorIndex(compiled, ({ rule }) => rule)
  const markIndex = createSelectorIndex(marks.filter(({ from }) => from !== 'user'), (mark) => mark)
  const limitIndex = createSelectorIndex(compileLimits(limits), ({ rule }) => rule)
  const allowIndex = allow && createSelectorIndex([allow], (tools) => ({ tools }))
  const denyIndex = createSelectorIndex([deny], (tools) => ({ tools }))
  const indexes = [ruleIndex, markIndex, limitIndex, denyIndex, ...(allowIndex === undefined ? [] : [allowIndex])]
  const named = new Set(indexes.flatMap(({ names }) => [...names]))
  const memo = createNameMemo<ToolTerms[]>((name) => named.has(name))
  const readsAnnotations = rules.some(({ annotations }) => annotations !== undefined)

  const build = (tool: string, annotations: ToolAnnotations): ToolTerms => {
    const found = ruleIndex.select(tool, annotations)
    const about = markIndex.select(tool, annotations)
    const bounds = limitIndex.select(tool, annotations)
    const isAllowed = allowIndex === undefined ? undefined : allowIndex.select(tool, annotations).length > 0
    const clears = about.filter(({ clear }) => clear === true)
    const isDenied = denyIndex.select(tool, annotations).length > 0
    return Object.freeze({
      rules: found,
      marks: about.filter(({ clear }) => clear !== true),
      clears,
      limits: bounds,
      standing: isDenied ? 'denied' : isAllowed === false ? 'outside' : isAllowed === true || found.length > 0 ? 'named' : 'unnamed',
      looksAtArguments: found.some((each) => each.looksAtArguments) || bounds.some(({ rule }) => rule.sum !== undefined)
        || clears.some(({ keys }) => keys !== undefined),
    })
  }
  return (tool, annotations = SAYS_NOTHING) => {
    const code = readsAnnotations ? codeOf(annotations) : 0
    const known = memo.get(tool) ?? memo.set(tool, [])
    return (known[code] ??= build(tool, annotations))
  }
}

/** One of 81 numbers for what a tool says of itself. */
function codeOf({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint }: ToolAnnotations): number {
  const digits = [readOnlyHint, destructiveHint, idempotentHint, openWorldHint].map((said) => (said === true ? 1 : said === false ? 2 : 0))
  return digits.reduce((code: number, digit) => code * 3 + digit, 0)
}
