import { isPattern } from '@callgate/core'
import type { GateRules } from '@callgate/core'
import type { Finding, KnownTool } from './finding.ts'
import { createNameCover } from './name-cover.ts'
import type { NameCover } from './name-cover.ts'
import { createNameFinder } from './name-finder.ts'
import { createSelection } from './tool-selection.ts'

/** Finds rules that can never matter: their tools are refused anyway, they are about the annotations of no tool, or their condition meets them. */
export function checkDeadRules(rules: GateRules, tools?: readonly KnownTool[]): readonly Finding[] {
  const { allow, deny = [], unlisted } = rules
  const denied = coverOf(deny)
  const isAllowed = allow === undefined ? () => true : createOverlap(allow)
  const isUndenied = ({ name }: KnownTool): boolean => denied.firstOf(name) === undefined
  // Tools that the server does not list may be called all the same.
  const known = unlisted === 'allow' ? undefined : tools
  const some = known && createSelection(rules, known)
  const undenied = known && createSelection(rules, known.filter(isUndenied))
  const free = known && createSelection(rules, known.filter((tool) => isUndenied(tool) && isAllowed(tool.name)))
  return rules.rules.flatMap(({ tools: names = ['*'], annotations, gate, condition, key, require }, at): readonly Finding[] => {
    const pointer = `/gates/rules/${at}`
    if (condition === gate && key === undefined && require === undefined) return [ownCondition(`${pointer}/condition`)]
    const isSelecting = some?.(at) === true
    if (some !== undefined && !isSelecting && annotations !== undefined) {
      return [dead('no_tool_selected', pointer, 'no tool of the server says this of itself: this rule can never matter', 'correct `annotations`, or remove the rule')]
    }
    if (names.every((name) => denied.firstOf(name) !== undefined) || (isSelecting && undenied?.(at) === false)) {
      return [dead('denied_rule', pointer, 'all of its tools are under `deny`: this rule can never matter')]
    }
    if (names.some(isAllowed) && !(isSelecting && free?.(at) === false)) return []
    return [dead('outside_allow', pointer, 'none of its tools is under `allow`: this rule can never matter')]
  })
}

function ownCondition(pointer: string): Finding {
  const message = 'the condition is the gate itself: where it is marked the rule is met, and elsewhere it does not apply, so it never refuses'
  return { code: 'own_condition', severity: 'error', pointer, message, hint: 'remove `condition`, or name another one' }
}

function dead(code: 'denied_rule' | 'outside_allow' | 'no_tool_selected', pointer: string, message: string, hint = 'remove it, or let one of its tools run'): Finding {
  return { code, severity: 'warning', pointer, message, hint }
}

function coverOf(names: readonly string[]): NameCover {
  const cover = createNameCover()
  for (const name of names) cover.add(name, 0)
  return cover
}

/** Whether a name or pattern may be about a tool that the list is about; two patterns may always meet. */
function createOverlap(list: readonly string[]): (name: string) => boolean {
  const cover = coverOf(list)
  const matching = createNameFinder(list)
  const hasPattern = list.some(isPattern)
  return (name) => (isPattern(name) ? hasPattern || matching(name).length > 0 : cover.firstOf(name) !== undefined)
}
