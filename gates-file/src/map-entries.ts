import { isScalar } from 'yaml'
import type { Node, YAMLMap } from 'yaml'
import { offsetOf } from './reader.ts'
import type { Reading, Slot } from './reader.ts'
import { isMergeKey } from './resolve-aliases.ts'

/** A key of a map that is text, the node and offset where it stands, and the node of its value. */
export type MapEntry = { readonly key: string; readonly keyNode: Node; readonly offset: number; readonly value: unknown }

/** The entries in file order, but for merge keys, which were reported before, and keys that are no text, which are reported. */
export function entriesOf(node: YAMLMap, slot: Slot, reading: Reading): readonly MapEntry[] {
  const entries: MapEntry[] = []
  for (const { key, value } of node.items) {
    const keyNode = key as Node | null
    const offset = keyNode?.range?.[0] ?? offsetOf(slot)
    if (!isScalar(keyNode) || typeof keyNode.value !== 'string') {
      reading.report(offset, 'wrong_type', `a key in ${slot.label} must be text`, 'put it in quotes')
    } else if (!isMergeKey(keyNode)) entries.push({ key: keyNode.value, keyNode, offset, value })
  }
  return entries
}
