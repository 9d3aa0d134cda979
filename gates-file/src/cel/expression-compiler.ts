import type { Expression } from '@callgate/core'

/** What an expression may be about. */
export type Root = 'args' | 'result' | 'fact' | 'text'

/** A compiled expression, or what is wrong with it and where: a UTF-16 offset into the source. */
export type Compiled =
  | { readonly kind: 'compiled'; readonly expression: Expression }
  | { readonly kind: 'wrong'; readonly message: string; readonly offset: number }

/** Compiles an expression over some of the roots. */
export type ExpressionCompiler = (source: string, roots: readonly Root[]) => Compiled
