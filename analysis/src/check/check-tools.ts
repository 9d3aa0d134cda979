import { createNameMatcher, isPattern } from '@callgate/core'
import type { GateRules } from '@callgate/core'
import { distance } from 'fastest-levenshtein'
import { lookOf } from './confusable.ts'
import type { Finding, KnownTool } from './finding.ts'
import { namedTools } from './named-tools.ts'
import type { NamedTool } from './named-tools.ts'

const MAX_NAME = 200
const MAX_COMPARED = 5_000

/** Finds names that the server does not have, patterns about none or all of its tools, and names that only look like one. */
export function checkTools(rules: GateRules, tools: readonly KnownTool[] | undefined): readonly Finding[] {
  const named = namedTools(rules)
  if (tools === undefined) return named.filter(({ name }) => name === '*').flatMap((one) => (isBroad(one) ? [matchesAll(one)] : []))
  const known = new Set(tools.map(({ name }) => name))
  const looks = new Map(tools.map(({ name }) => [lookOf(name), name]))
  const cache = new Map<string, readonly Finding[]>()
  const findings = named.flatMap(({ name, pointer }) => {
    const found = cache.get(name) ?? (isPattern(name) ? checkPattern({ name, pointer }, [...known]) : known.has(name) ? [] : [unknown(name, pointer, looks, known)])
    cache.set(name, found)
    return found.map((finding) => ({ ...finding, pointer }))
  })
  return [...findings, ...checkLooks(tools, named)]
}

function checkPattern(one: NamedTool, known: readonly string[]): readonly Finding[] {
  const matches = known.filter(createNameMatcher(one.name))
  if (matches.length === 0) {
    const message = `${shown(one.name)} matches no tool of the server`
    return [{ code: 'pattern_matches_nothing', severity: 'error', pointer: one.pointer, message, hint: 'correct the pattern, or remove it' }]
  }
  return matches.length === known.length && known.length > 1 && isBroad(one) ? [matchesAll(one)] : []
}

/** In rules and limits a pattern about all tools may be meant; among those that are denied or that mark it hardly is. */
function isBroad({ pointer }: NamedTool): boolean {
  return !pointer.startsWith('/gates/allow/')
}

function matchesAll({ name, pointer }: NamedTool): Finding {
  return { code: 'pattern_matches_all', severity: 'warning', pointer, message: `${shown(name)} is about every tool`, hint: 'narrow it, if that is not meant' }
}

function unknown(name: string, pointer: string, looks: ReadonlyMap<string, string>, known: ReadonlySet<string>): Finding {
  const alike = looks.get(lookOf(name))
  if (alike !== undefined) {
    const message = `the server has no tool ${escaped(name)}; its ${escaped(alike)} is written with other letters that look the same`
    return { code: 'unknown_tool', severity: 'error', pointer, message, hint: `did you mean ${shown(alike)}?` }
  }
  const near = nearest(name, [...known].slice(0, MAX_COMPARED))
  const hint = near === undefined ? 'tools are named as the server lists them, case and all' : `did you mean ${shown(near)}?`
  return { code: 'unknown_tool', severity: 'error', pointer, message: `the server has no tool ${shown(name)}`, hint }
}

/** Tools of the server that look like one that the rules name: they are other tools. */
function checkLooks(tools: readonly KnownTool[], named: readonly NamedTool[]): readonly Finding[] {
  const byLook = new Map<string, NamedTool>()
  for (const one of named) if (!isPattern(one.name) && !byLook.has(lookOf(one.name))) byLook.set(lookOf(one.name), one)
  const names = new Set(named.map(({ name }) => name))
  return tools.flatMap(({ name }): readonly Finding[] => {
    const like = byLook.get(lookOf(name))
    if (like === undefined || like.name === name || names.has(name)) return []
    const message = `the server has a tool ${escaped(name)} that looks like ${escaped(like.name)} and is another one`
    return [{ code: 'confusable_tool', severity: 'warning', pointer: like.pointer, message, hint: 'name it in the rules too, or put it under `deny`' }]
  })
}

function nearest(name: string, candidates: readonly string[]): string | undefined {
  const bare = name.slice(0, MAX_NAME).toLowerCase()
  const most = Math.max(2, Math.floor(bare.length / 3))
  let best: string | undefined
  let least = most + 1
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - bare.length) > most) {
      // A server's name before the tool's own is the most common slip.
      if (bare.endsWith(candidate.toLowerCase()) && /[^a-z0-9]$/u.test(bare.slice(0, bare.length - candidate.length))) return candidate
      continue
    }
    const far = distance(bare, candidate.slice(0, MAX_NAME).toLowerCase())
    if (far < least) [best, least] = [candidate, far]
  }
  return best
}

function shown(name: string): string {
  return `\`${name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name}\``
}

/** A name with every letter that is not plain written out. */
function escaped(name: string): string {
  return shown(Array.from(name, (letter) => (/^[ -~]$/u.test(letter) ? letter : `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`)).join(''))
}
