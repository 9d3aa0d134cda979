import { canonicalJson, parsePointer } from '@callgate/core'
import type { Change, JsonObject, JsonValue } from '@callgate/core'
import { scanJson } from '@callgate/core/wire'
import type { JsonNode } from '@callgate/core/wire'
import { lastMember } from './read-message.ts'

/** What replaces the text from `start` to `end`, in UTF-16 code units of the arguments' text. */
type Edit = { readonly start: number; readonly end: number; readonly text: string }

/**
 * The message with its arguments repaired: the texts of the changed values are replaced, dropped ones are cut out with their
 * names, a wrapped item is put in brackets; everything else stays as it came. Where a value was added, the text of the
 * value that holds it is written anew from `admitted`.
 */
export function spliceArguments(text: string, args: JsonNode, changes: readonly Change[], admitted: JsonObject): string {
  const argsText = text.slice(args.start, args.end)
  const paths = changes.map(({ pointer }) => segmentsOf(pointer))
  const root = scanJson(argsText, Math.max(...paths.map((path) => path.length)))
  const drops = createDrops(root)
  const edits = changes.flatMap((change, index) => {
    const path = paths[index] ?? []
    return drops.take(path, change) ? [] : [editFor({ root, text: argsText }, path, change, admitted)]
  })
  return text.slice(0, args.start) + applyEdits(argsText, [...edits, ...drops.cuts()]) + text.slice(args.end)
}

type Source = { readonly root: JsonNode; readonly text: string }

function editFor({ root, text }: Source, path: readonly string[], { before, after }: Omit<Change, 'pointer'>, admitted: JsonObject): Edit {
  const node = nodeAt(root, path)
  if (node !== undefined && after !== undefined) {
    const { start, end } = node
    return { start, end, text: isWrapped(before, after) ? `[${text.slice(start, end)}]` : canonicalJson(after) }
  }
  const holder = path.slice(0, -1)
  return editFor({ root, text }, holder, { after: valueAt(admitted, holder) }, admitted)
}

/** True where a value became the only item of an array, so that its own text can stay. */
function isWrapped(before: JsonValue | undefined, after: JsonValue): boolean {
  return before !== undefined && Array.isArray(after) && canonicalJson(after) === canonicalJson([before])
}

type Drops = { take(path: readonly string[], change: Change): boolean; cuts(): readonly Edit[] }

/** Gathers the members that go, object by object, since where a comma belongs depends on all of them. */
function createDrops(root: JsonNode): Drops {
  const dropped = new Map<JsonNode, Set<string>>()
  return {
    take(path, { after }) {
      const holder = nodeAt(root, path.slice(0, -1))
      const name = path.at(-1)
      if (after !== undefined || name === undefined || holder?.kind !== 'object' || lastMember(holder, name) === undefined) return false
      dropped.set(holder, (dropped.get(holder) ?? new Set()).add(name))
      return true
    },
    cuts: () => [...dropped].flatMap(([holder, names]) => cutsOf(holder, names)),
  }
}

function cutsOf({ start, end, members = [] }: JsonNode, names: ReadonlySet<string>): readonly Edit[] {
  const firstKept = members.findIndex(({ key }) => !names.has(key))
  if (firstKept === -1) return [{ start, end, text: '{}' }]
  return members.flatMap(({ key, keyStart, value }, at) => {
    if (!names.has(key)) return []
    // Before the first that stays, a name goes with the comma after it; later on with the one before it.
    const from = at < firstKept ? keyStart : members[at - 1]?.value.end
    const to = at < firstKept ? members[at + 1]?.keyStart : value.end
    return [{ start: from ?? start, end: to ?? end, text: '' }]
  })
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
