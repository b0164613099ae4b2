/** A map that evicts the least recently used entries. The caller decides what to keep and what it weighs. */
export class BoundedCache<Value> {
  readonly #entries = new Map<string, Value>()
  readonly #capacity: number
  readonly #weigh: (value: Value) => number
  #weight = 0

  /**
   * @param capacity maximum sum of weights; a single heavier value is still kept, alone
   * @param weigh the weight of a value; must not change
   */
  constructor(capacity: number, weigh: (value: Value) => number = () => 1) {
    this.#capacity = capacity
    this.#weigh = weigh
  }

  get size(): number {
    return this.#entries.size
  }

  /** The value of the key, made by `make` if it is missing. When `make` throws, nothing is kept. */
  get(key: string, make: () => Value): Value {
    const known = this.find(key)
    if (known !== undefined) return known
    const value = make()
    this.#keep(key, value)
    return value
  }

  /** The value of the key, if present. */
  find(key: string): Value | undefined {
    const known = this.#entries.get(key)
    if (known === undefined) return undefined
    // A Map iterates in insertion order, so inserting the entry again makes it the newest.
    this.#entries.delete(key)
    this.#entries.set(key, known)
    return known
  }

  /** Sets or replaces the value of the key. */
  set(key: string, value: Value): void {
    const known = this.#entries.get(key)
    if (known !== undefined) {
      this.#entries.delete(key)
      this.#weight -= this.#weigh(known)
    }
    this.#keep(key, value)
  }

  /** The value of the key, if present; does not count as a use. */
  peek(key: string): Value | undefined {
    return this.#entries.get(key)
  }

  #keep(key: string, value: Value): void {
    this.#entries.set(key, value)
    this.#weight += this.#weigh(value)
    this.#evict(key)
  }

  #evict(newest: string): void {
    for (const [key, value] of this.#entries) {
      if (this.#weight <= this.#capacity || key === newest) return
      this.#entries.delete(key)
      this.#weight -= this.#weigh(value)
    }
  }
}
