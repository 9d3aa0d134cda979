import { isAlias, isCollection, isMap, isScalar, visit } from 'yaml'
import type { Alias, Node, YAMLMap } from 'yaml'
import type { ProblemList } from './problem-list.ts'
import { quoteText } from './show-text.ts'

/** What each alias stands for: the last node before it that carries its anchor. */
export type AliasTargets = ReadonlyMap<Alias, Node>

/** Walks the whole document once: finds the targets of aliases, and reports unknown ones, duplicate keys and merge keys. */
export function resolveAliases(root: Node, problems: ProblemList): AliasTargets {
  const anchors = new Map<string, Node>()
  const targets = new Map<Alias, Node>()
  visit(root, (_key, node) => {
    if (isAlias(node)) {
      const target = anchors.get(node.source)
      if (target !== undefined) targets.set(node, target)
      else problems.error(
        node.range?.[0] ?? 0, 'alias',
        `no anchor ${quoteText(`&${node.source}`)} stands before this alias`,
        'write the value out',
      )
    } else if (isScalar(node) || isCollection(node)) {
      if (node.anchor !== undefined) anchors.set(node.anchor, node)
      if (isMap(node)) checkKeys(node, problems)
    }
  })
  return targets
}

function checkKeys(map: YAMLMap, problems: ProblemList): void {
  const first = new Map<unknown, number>()
  for (const { key } of map.items) {
    if (!isScalar(key)) continue
    const offset = key.range?.[0] ?? 0
    const before = first.get(key.value)
    if (isMergeKey(key)) problems.error(offset, 'merge_key', 'merge keys (`<<`) are not read', 'write the keys out')
    else if (before !== undefined) {
      problems.error(
        offset, 'duplicate_key',
        `${quoteText(String(key.value))} stands twice in this map, first on line ${problems.lineOf(before)}`,
        'keep one of them',
      )
    } else first.set(key.value, offset)
  }
}

/** True for the plain key `<<`; in quotes it is a text like any other. */
export function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.value === '<<' && key.type === 'PLAIN'
}
