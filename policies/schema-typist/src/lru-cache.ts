/** A cache that keeps the `limit` entries used last. */
export class LruCache<K, V> {
  readonly #entries = new Map<K, V>()
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  /** The entry under `key`, made by `make` where there is none. */
  get(key: K, make: () => V): V {
    const known = this.#entries.get(key)
    const value = known ?? make()
    this.#entries.delete(key)
    this.#entries.set(key, value)
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > this.#limit && oldest !== undefined) this.#entries.delete(oldest)
    return value
  }

  get size(): number {
    return this.#entries.size
  }
}
