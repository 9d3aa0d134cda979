import { canonicalJson, scalarText } from '../model/canonical.ts'
import { isArray, isObject } from '../model/json-shape.ts'
import type { JsonObject, JsonValue } from '../model/json-value.ts'
import { parseWire } from '../model/parse-wire.ts'

/** The rest of a path that leads on to what is redacted; empty where it is reached. */
export type Trail = { readonly path: string; readonly rest: readonly string[] }

/** How values are hidden: their digest, what becomes of other texts, and who hears of each value, and whether all that is in it counts. */
export type Hiding = { digest(text: string): string; text(text: string): string; found(value: JsonValue, isInside: boolean): void }

/** The trail of a path that begins with `args`. */
export function trailOf(path: string): Trail {
  return { path, rest: path.split('.').slice(1) }
}

/** Whether a trail ends at these tokens or above; an index is a step that the trail need not name. */
export function coversTrail(tokens: readonly string[], rest: readonly string[]): boolean {
  if (rest.length === 0) return true
  const [token, ...below] = tokens
  if (token === undefined) return false
  return (isSameName(token, rest[0]) && coversTrail(below, rest.slice(1))) || (/^\d+$/.test(token) && coversTrail(below, rest))
}

/** Whether a trail goes on where these tokens end. */
export function leadsToTrail(tokens: readonly string[], rest: readonly string[]): boolean {
  const [token, ...below] = tokens
  if (token === undefined) return rest.length > 0
  return (rest.length > 0 && isSameName(token, rest[0]) && leadsToTrail(below, rest.slice(1))) || (/^\d+$/.test(token) && leadsToTrail(below, rest))
}

/** Replaces what stands at the end of a trail. What is neither list nor object where one should be may hold it: it goes as a whole. */
export function hideValues(value: JsonValue, trails: readonly Trail[], hiding: Hiding): JsonValue {
  const reached = trails.find(({ rest }) => rest.length === 0)
  if (reached !== undefined) return hide(value, reached, hiding, true)
  if (isArray(value)) return value.map((item) => hideValues(item, trails, hiding))
  if (isObject(value)) return hideMembers(value, trails, hiding)
  if (value === null || typeof value === 'boolean') return value
  const [through] = trails
  if (through !== undefined && value !== '') {
    return hide(value, through, hiding, !hasLookedInside(value, trails, hiding))
  }
  const printed = typeof value === 'string' ? value : scalarText(value)
  const shown = hiding.text(printed)
  return shown === printed ? value : shown
}

function hideMembers(value: JsonObject, trails: readonly Trail[], hiding: Hiding): JsonObject {
  const members = new Map<string, JsonValue>()
  for (const [name, child] of Object.entries(value)) {
    const further = trails.flatMap(({ path, rest }) => (isSameName(name, rest[0]) ? [{ path, rest: rest.slice(1) }] : []))
    const shown = hiding.text(name)
    // Two names may be hidden alike, and none of the members may go missing.
    members.set(members.has(shown) || (shown !== name && Object.hasOwn(value, shown)) ? `${shown} ${members.size + 1}` : shown, hideValues(child, further, hiding))
  }
  return Object.fromEntries(members)
}

function hide(value: JsonValue, { path }: Trail, { digest, found }: Hiding, isInside: boolean): JsonObject {
  found(value, isInside)
  const text = canonicalJson(value)
  return { redacted: path, length: typeof value === 'string' ? value.length : text.length, digest: digest(text) }
}

/** A text may spell the object that the path goes through: what stands there must not show up elsewhere either. */
function hasLookedInside(value: JsonValue, trails: readonly Trail[], hiding: Hiding): boolean {
  if (typeof value !== 'string') return false
  let parsed: JsonValue
  try {
    parsed = parseWire(value, '')
  } catch {
    return false
  }
  if (!isArray(parsed) && !isObject(parsed)) return false
  hideValues(parsed, trails, hiding)
  return true
}

/** A lenient server reads a name in another case too. */
function isSameName(name: string, wanted: string | undefined): boolean {
  return wanted !== undefined && (name.toLowerCase() === wanted.toLowerCase() || name.toUpperCase() === wanted.toUpperCase())
}
