/** Collects chunks of bytes into one array, so that one-byte chunks take no more memory than large ones. */

const FIRST_CAPACITY = 16 * 1024

export class ByteCollector {
  #bytes = new Uint8Array(FIRST_CAPACITY)
  #length = 0

  /** @param limit maximum number of bytes */
  constructor(readonly limit: number) {}

  get length(): number {
    return this.#length
  }

  /** @returns false, without adding any of it, when the piece exceeds the limit */
  add(piece: Uint8Array): boolean {
    const length = this.#length + piece.length
    if (length > this.limit) return false
    if (length > this.#bytes.length) this.#grow(length)
    this.#bytes.set(piece, this.#length)
    this.#length = length
    return true
  }

  /** All bytes so far; a view that is valid until more are added. */
  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  #grow(needed: number): void {
    const capacity = Math.min(Math.max(needed, this.#bytes.length * 2), this.limit)
    const larger = new Uint8Array(capacity)
    larger.set(this.bytes())
    this.#bytes = larger
  }
}
