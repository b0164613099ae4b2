/** A map which forgets what was used longest ago; what is kept, and what it costs, is the caller's matter. */
export class BoundedCache<Value> {
  readonly #entries = new Map<string, Value>()
  readonly #capacity: number
  readonly #weigh: (value: Value) => number
  #weight = 0

  /**
   * @param capacity the sum of weights kept at most; a single heavier value is still kept, alone
   * @param weigh what one value counts; the same at every call for a value
   */
  constructor(capacity: number, weigh: (value: Value) => number = () => 1) {
    this.#capacity = capacity
    this.#weigh = weigh
  }

  get size(): number {
    return this.#entries.size
  }

  /** The value of the key, made and kept when it is not there; what `make` throws goes through and nothing is kept. */
  get(key: string, make: () => Value): Value {
    const known = this.find(key)
    if (known !== undefined) return known
    const value = make()
    this.#keep(key, value)
    return value
  }

  /** The value of the key when it is kept. */
  find(key: string): Value | undefined {
    const known = this.#entries.get(key)
    if (known === undefined) return undefined
    // A Map iterates in the order of insertion, so putting the entry in again makes it the youngest.
    this.#entries.delete(key)
    this.#entries.set(key, known)
    return known
  }

  /** Keeps the value under the key, in the place of another one. */
  set(key: string, value: Value): void {
    const known = this.#entries.get(key)
    if (known !== undefined) {
      this.#entries.delete(key)
      this.#weight -= this.#weigh(known)
    }
    this.#keep(key, value)
  }

  /** The value of the key when it is kept; does not count as a use. */
  peek(key: string): Value | undefined {
    return this.#entries.get(key)
  }

  #keep(key: string, value: Value): void {
    this.#entries.set(key, value)
    this.#weight += this.#weigh(value)
    this.#forget(key)
  }

  #forget(newest: string): void {
    for (const [key, value] of this.#entries) {
      if (this.#weight <= this.#capacity || key === newest) return
      this.#entries.delete(key)
      this.#weight -= this.#weigh(value)
    }
  }
}
