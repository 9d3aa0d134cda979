/** A cache that keeps the `limit` entries used last. */
export class LruCache<K, V> {
  readonly #entries = new Map<K, V>()
  readonly #limit: number
  #newest: { readonly key: K; readonly value: V } | undefined

  constructor(limit: number) {
    this.#limit = limit
  }

  /** The entry under `key`, made by `make` where there is none. */
  get(key: K, make: () => V): V {
    if (this.#newest !== undefined && this.#newest.key === key) return this.#newest.value
    const known = this.#entries.get(key)
    const value = known ?? make()
    if (known !== undefined) this.#entries.delete(key)
    this.#entries.set(key, value)
    this.#newest = { key, value }
    if (this.#entries.size > this.#limit) this.#dropOldest()
    return value
  }

  #dropOldest(): void {
    const [oldest] = this.#entries.keys()
    if (oldest !== undefined) this.#entries.delete(oldest)
  }

  get size(): number {
    return this.#entries.size
  }
}
