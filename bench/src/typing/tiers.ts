/** The tiers of the Schema Typist, each containing the one before (contract 8). */
export const TIERS = ['strict', 'basic', 'flexible'] as const

/** One tier of the Schema Typist. */
export type Tier = (typeof TIERS)[number]
