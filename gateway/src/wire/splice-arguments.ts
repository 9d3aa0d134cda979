import { canonicalJson, parsePointer } from '@callgate/core'
import type { Change, JsonObject, JsonValue } from '@callgate/core'
import { scanJson } from '@callgate/core/wire'
import type { JsonNode } from '@callgate/core/wire'
import { lastMember } from './read-message.ts'

/** What replaces the text from `start` to `end`, in UTF-16 code units of the arguments' text. */
type Edit = { readonly start: number; readonly end: number; readonly text: string }

/**
 * The message with its arguments repaired: the texts of the changed values are replaced, everything else stays as it
 * came. Where a value was dropped or added, the text of the value that holds it is written anew from `admitted`.
 */
export function spliceArguments(text: string, args: JsonNode, changes: readonly Change[], admitted: JsonObject): string {
  const argsText = text.slice(args.start, args.end)
  const paths = changes.map(({ pointer }) => segmentsOf(pointer))
  const root = scanJson(argsText, Math.max(...paths.map((path) => path.length)))
  const edits = changes.map(({ after }, index) => editFor(root, paths[index] ?? [], after, admitted))
  return text.slice(0, args.start) + applyEdits(argsText, edits) + text.slice(args.end)
}

function editFor(root: JsonNode, path: readonly string[], after: JsonValue | undefined, admitted: JsonObject): Edit {
  const node = nodeAt(root, path)
  if (node !== undefined && after !== undefined) return { start: node.start, end: node.end, text: canonicalJson(after) }
  const holder = path.slice(0, -1)
  return editFor(root, holder, valueAt(admitted, holder), admitted)
}

function applyEdits(text: string, edits: readonly Edit[]): string {
  const inOrder = edits.toSorted((a, b) => a.start - b.start || b.end - a.end)
  let spliced = ''
  let at = 0
  for (const edit of inOrder) {
    // An edit inside one that was already made says the same again.
    if (edit.start < at) continue
    spliced += text.slice(at, edit.start) + edit.text
    at = edit.end
  }
  return spliced + text.slice(at)
}

/** A change's pointer begins at the candidate's field, which is the arguments. */
function segmentsOf(pointer: string): readonly string[] {
  return parsePointer(pointer)?.slice(1) ?? []
}

function nodeAt(root: JsonNode, path: readonly string[]): JsonNode | undefined {
  return path.reduce<JsonNode | undefined>(
    (node, segment) => (node?.kind === 'array' ? node.items?.[Number(segment)] : lastMember(node, segment)),
    root,
  )
}

function valueAt(value: JsonValue, path: readonly string[]): JsonValue {
  return path.reduce<JsonValue>((holder, segment) => (holder as Readonly<Record<string, JsonValue>>)[segment] ?? null, value)
}
