import { isAlias, isMap, isScalar, isSeq } from 'yaml'
import type { Node } from 'yaml'
import { parsePointer } from '@callgate/core'
import type { AliasTargets } from './resolve-aliases.ts'

/** A place in the text, 1-based; a column counts UTF-16 code units. */
export type Place = { readonly line: number; readonly column: number }

const INDEX = /^(?:0|[1-9]\d*)$/u

/** Finds where the value of a JSON Pointer stands in a document; of what is not there, where the nearest that would hold it does. */
export function createPlaces(root: Node, targets: AliasTargets, placeOf: (offset: number) => Place): (pointer: string) => Place {
  return (pointer) => {
    let node: unknown = root
    let offset = root.range?.[0] ?? 0
    for (const token of parsePointer(pointer) ?? []) {
      const within = isAlias(node) ? targets.get(node) : node
      const next = childOf(within, token)
      if (next === undefined) break
      node = next
      offset = (isNode(next) ? next.range?.[0] : undefined) ?? offset
    }
    return placeOf(offset)
  }
}

function childOf(node: unknown, token: string): unknown {
  if (isSeq(node)) return INDEX.test(token) ? node.items[Number(token)] : undefined
  if (!isMap(node)) return undefined
  return node.items.find(({ key }) => isScalar(key) && key.value === token)?.value ?? undefined
}

function isNode(value: unknown): value is Node {
  return isMap(value) || isSeq(value) || isScalar(value) || isAlias(value)
}
