/** Randomness, handed in: `id()` returns at least 122 random bits as text that needs no escaping in a URL or a file name. */
export type Random = { id(): string }
