import { Environment } from '@marcbachmann/cel-js'
import type { Root } from './expression-compiler.ts'
import type { Meter } from './meter.ts'
import { email, emails, iban, ibans, link, links, numbers, path, words } from './text-functions.ts'

/** CEL with the roots given and our own functions. What they do is counted by `meterTree`, but for what `replace` makes. */
export function createEnvironment(roots: readonly Root[], meter: Meter): Environment {
  const env = new Environment({
    homogeneousAggregateLiterals: false,
    enableOptionalTypes: true,
    limits: { maxAstNodes: 2_000, maxDepth: 64 },
  })
  for (const root of roots) env.registerVariable(root, root === 'text' ? 'string' : 'dyn')
  for (const [name, find] of Object.entries({ emails, links, ibans, words })) addFinder(env, name, 'list<string>', find)
  addFinder(env, 'numbers', 'list', (text) => numbers(text).map((value) => (Number.isSafeInteger(value) ? BigInt(value) : value)))
  addWhole(env, 'email', 'mail address', email)
  addWhole(env, 'link', 'link', link)
  addWhole(env, 'iban', 'account number', iban)
  env.registerFunction('string.path(): string', (text: string) => path(text))
  env.registerFunction('list.path(): list<string>', (items: readonly unknown[]) => items.map((item) => path(textOf(item, 'path'))))
  env.registerFunction('string.findAll(string): list<string>', () => {
    throw new Error('findAll() of a pattern that was not compiled')
  })
  env.registerFunction('string.replace(string, string): string', (text: string, from: string, to: string) => {
    if (from === '') return text
    const parts = text.split(from)
    meter.spend(parts.length * (to.length + 1))
    return parts.join(to)
  })
  env.registerFunction('list.flatten(): list', (items: readonly unknown[]) => items.flat())
  return env
}

/** A function over a text, or over every text of a list; what it finds is one list. */
function addFinder(env: Environment, name: string, type: string, find: (text: string) => readonly unknown[]): void {
  env.registerFunction(`string.${name}(): ${type}`, (text: string) => [...find(text)])
  env.registerFunction(`list.${name}(): ${type}`, (items: readonly unknown[]) => [
    ...new Set(items.flatMap((item) => find(textOf(item, name)))),
  ])
}

/** A function over a text that is one thing and nothing beside it, or over every text of a list: an error where one is not. */
function addWhole(env: Environment, name: string, what: string, read: (text: string) => string | undefined): void {
  const readWhole = (text: string): string => {
    const found = read(text)
    if (found === undefined) throw new Error(`${name}() of a text that is not one ${what} alone`)
    return found
  }
  env.registerFunction(`string.${name}(): string`, readWhole)
  env.registerFunction(`list.${name}(): list<string>`, (items: readonly unknown[]) => items.map((item) => readWhole(textOf(item, name))))
}

function textOf(item: unknown, name: string): string {
  if (typeof item !== 'string') throw new Error(`${name}() of a list that holds something else than texts`)
  return item
}
