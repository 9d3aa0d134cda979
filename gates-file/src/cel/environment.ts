import { Environment } from '@marcbachmann/cel-js'
import { RE2JS } from 're2js'
import { MATCHES, SPLIT, STEP } from './bounded-source.ts'
import type { Root } from './expression-compiler.ts'
import { emails, ibans, links, numbers, path, words } from './text-functions.ts'

/** The most steps of loops, and the most characters that functions may read, in one evaluation. */
const MAX_STEPS = 100_000
const MAX_READ = 64_000_000
const MAX_PATTERN = 1_000
const MAX_PATTERNS = 200
// A step may look at all that is there; an item of a list that is made is kept in so many bytes.
const STEP_SHARE = 64
const ITEM_COST = 16
// RE2 reads about a hundred times slower than plain functions do.
const PATTERN_COST = 50

/** The work of one evaluation; it is used up by `spend` and throws when there is none left. */
export type Meter = { begin(characters: number): void; step(): void; read(characters: number): void }

/** Makes a meter. A step costs by what is there to be read, for each may read all of it. */
export function createMeter(): Meter {
  let steps = 0
  let left = 0
  let stepCost = 0
  const read = (characters: number): void => {
    left -= characters
    if (left < 0) throw new Error(`the expression reads more than ${MAX_READ} characters in all; make it look at less`)
  }
  return {
    begin(characters) {
      steps = 0
      left = MAX_READ
      stepCost = Math.ceil(characters / STEP_SHARE)
    },
    step() {
      steps += 1
      if (steps > MAX_STEPS) throw new Error(`the expression takes more than ${MAX_STEPS} steps; make it look at less`)
      read(stepCost)
    },
    read,
  }
}

/** CEL with the roots given, our own functions, and a meter that bounds the work. */
export function createEnvironment(roots: readonly Root[], meter: Meter): Environment {
  const env = new Environment({
    homogeneousAggregateLiterals: false,
    enableOptionalTypes: true,
    limits: { maxAstNodes: 2_000, maxDepth: 64 },
  })
  for (const root of roots) env.registerVariable(root, root === 'text' ? 'string' : 'dyn')
  env.registerFunction(`${STEP}(dyn): dyn`, (value: unknown) => {
    meter.step()
    // What a loop makes of each item is kept together.
    if (Array.isArray(value)) meter.read(value.length * ITEM_COST)
    return value
  })
  const split = (text: string, separator: string, most?: bigint): readonly string[] => {
    meter.read(text.length)
    return metered(meter, most === undefined || most < 0n ? text.split(separator) : splitAtMost(text, separator, Number(most)))
  }
  env.registerFunction(`string.${SPLIT}(string): list<string>`, split)
  env.registerFunction(`string.${SPLIT}(string, int): list<string>`, split)
  for (const [name, find] of Object.entries({ emails, links, ibans, words })) {
    addFinder(env, meter, name, 'list<string>', find)
  }
  addFinder(env, meter, 'numbers', 'list', (text) => numbers(text).map((value) => (Number.isSafeInteger(value) ? BigInt(value) : value)))
  env.registerFunction('string.path(): string', (text: string) => {
    meter.read(text.length)
    return path(text)
  })
  env.registerFunction('list.path(): list<string>', (items: readonly unknown[]) => items.map((item) => path(textOf(item, 'path', meter))))
  const patterns = new Map<string, RE2JS>()
  const compiled = (source: string): RE2JS => {
    const known = patterns.get(source)
    if (known !== undefined) return known
    if (source.length > MAX_PATTERN) throw new Error(`a pattern of more than ${MAX_PATTERN} characters`)
    const made = RE2JS.compile(source)
    if (patterns.size < MAX_PATTERNS) patterns.set(source, made)
    return made
  }
  env.registerFunction(`string.${MATCHES}(string): bool`, (text: string, pattern: string) => {
    meter.read(text.length * PATTERN_COST)
    return compiled(pattern).matcher(text).find()
  })
  env.registerFunction('string.findAll(string): list<string>', (text: string, pattern: string) => {
    meter.read(text.length * PATTERN_COST)
    return metered(meter, findAll(compiled(pattern), text))
  })
  env.registerFunction('string.replace(string, string): string', (text: string, from: string, to: string) => {
    meter.read(text.length)
    if (from === '') return text
    const parts = text.split(from)
    meter.read(parts.length * to.length)
    return parts.join(to)
  })
  env.registerFunction('list.flatten(): list', (items: readonly unknown[]) => {
    meter.read(items.reduce((sum: number, item) => sum + (Array.isArray(item) ? item.length : 1), 0) * ITEM_COST)
    return items.flat()
  })
  return env
}

/** A list that a function made, its items counted. */
function metered<T>(meter: Meter, items: readonly T[]): readonly T[] {
  meter.read(items.length * ITEM_COST)
  return items
}

/** The text in at most so many parts, the last of which is the rest; in none for 0. */
function splitAtMost(text: string, separator: string, most: number): readonly string[] {
  const parts = most === 0 ? [] : text.split(separator)
  return parts.length <= most ? parts : [...parts.slice(0, most - 1), parts.slice(most - 1).join(separator)]
}

/** A function over a text, or over every text of a list; what it finds is one list. */
function addFinder(env: Environment, meter: Meter, name: string, type: string, find: (text: string) => readonly unknown[]): void {
  env.registerFunction(`string.${name}(): ${type}`, (text: string) => {
    meter.read(text.length)
    return [...find(text)]
  })
  env.registerFunction(`list.${name}(): ${type}`, (items: readonly unknown[]) => [
    ...new Set(items.flatMap((item) => find(textOf(item, name, meter)))),
  ])
}

function textOf(item: unknown, name: string, meter: Meter): string {
  if (typeof item !== 'string') throw new Error(`${name}() of a list that holds something else than texts`)
  meter.read(item.length)
  return item
}

/** What the first group of each match holds, or the whole match where there is no group. */
function findAll(pattern: RE2JS, text: string): readonly string[] {
  const found: string[] = []
  const matcher = pattern.matcher(text)
  while (matcher.find()) found.push((matcher.groupCount() > 0 ? matcher.group(1) : matcher.group()) ?? '')
  return found
}
