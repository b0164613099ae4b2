/** Counts work in progress, by key and in total. Keys without any work don't use any memory. */
export class Counts {
  readonly #counts = new Map<string, number>()
  #total = 0

  get total(): number {
    return this.#total
  }

  of(key: string): number {
    return this.#counts.get(key) ?? 0
  }

  /**
   * Adds one to a key's count.
   * @returns a function that subtracts one from it again; it must be called exactly once
   */
  begin(key: string): () => void {
    this.#add(key, 1)
    return () => this.#add(key, -1)
  }

  #add(key: string, change: 1 | -1): void {
    this.#total += change
    const count = this.of(key) + change
    if (count === 0) this.#counts.delete(key)
    else this.#counts.set(key, count)
  }
}
