/** How much may be read into a text (contract 8); each tier contains the ones before it. */
export type TypingTier = 'strict' | 'basic' | 'flexible'

/** The tiers, the narrowest first. */
export const TYPING_TIERS: readonly TypingTier[] = Object.freeze(['strict', 'basic', 'flexible'])

/** True for what names a tier. */
export function isTypingTier(value: unknown): value is TypingTier {
  return TYPING_TIERS.some((tier) => tier === value)
}
