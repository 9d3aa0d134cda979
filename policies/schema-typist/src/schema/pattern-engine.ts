import { RegExpParser } from '@eslint-community/regexpp'
import { linearPattern } from './linear-pattern.ts'
import type { LinearPattern } from './linear-pattern.ts'
import { backtrackingSteps } from './pattern-steps.ts'

/** What a schema's patterns may take: steps of the built-in engine for one text, steps of all searches of one validation. */
export const PATTERN_BOUNDS: { readonly textSteps: number; readonly steps: number } = Object.freeze({ textSteps: 100_000, steps: 10_000_000 })

/** A pattern as a validator takes it. */
export type BoundedPattern = { test(text: string): boolean; toString(): string }

/** The patterns of one schema, which share the steps of a validation. */
export type PatternEngine = {
  /** Throws a SyntaxError for what is no pattern. Its `test` throws `UncheckedText` rather than take more steps than are left. */
  create(source: string, flags: string): BoundedPattern
  /** Begins a validation: all steps are there again. */
  begin(): void
}

/** Thrown where a text cannot be checked against a pattern within the steps that are left; the message says so to the model. */
export class UncheckedText extends Error {}

/**
 * Runs a schema's patterns in bounded time, whatever they are: by the built-in engine where its backtracking is proven to be
 * short for the text, else by RE2, whose time grows with the text only.
 */
export function createPatternEngine(): PatternEngine {
  let left = PATTERN_BOUNDS.steps
  const spend = (steps: number): boolean => {
    if (!(steps <= left)) return false
    left -= steps
    return true
  }
  return {
    create: (source, flags) => createPattern(source, flags, spend),
    begin() {
      left = PATTERN_BOUNDS.steps
    },
  }
}

function createPattern(source: string, flags: string, spend: (steps: number) => boolean): BoundedPattern {
  const native = new RegExp(source, flags)
  const tree = new RegExpParser().parsePattern(source, 0, source.length, flags.includes('u'))
  let linear: { readonly pattern: LinearPattern | undefined } | undefined
  return {
    test(text) {
      const steps = backtrackingSteps(tree, text.length)
      if (steps <= PATTERN_BOUNDS.textSteps && spend(steps)) return native.test(text)
      linear ??= { pattern: linearPattern(tree) }
      const { pattern } = linear
      if (pattern !== undefined && spend(pattern.size * (text.length + 1))) return pattern.test(text)
      throw unchecked(source, text)
    },
    // The validator tells patterns apart by their text.
    toString: () => String(native),
  }
}

function unchecked(source: string, text: string): UncheckedText {
  const pattern = source.length > 100 ? `${source.slice(0, 100)}…` : source
  return new UncheckedText(
    `A text of ${text.length} characters cannot be checked against the pattern ${JSON.stringify(pattern)} in bounded time. Send a shorter text.`,
  )
}
