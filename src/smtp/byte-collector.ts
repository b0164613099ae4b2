/** Bytes that arrive in pieces, in one array: pieces of one byte take up no more room than large ones. */

const FIRST_CAPACITY = 16 * 1024

export class ByteCollector {
  #bytes = new Uint8Array(FIRST_CAPACITY)
  #length = 0

  /** @param limit bytes that are ever added */
  constructor(readonly limit: number) {}

  get length(): number {
    return this.#length
  }

  /** @returns false, and takes nothing of the piece, when it is too much */
  add(piece: Uint8Array): boolean {
    const length = this.#length + piece.length
    if (length > this.limit) return false
    if (length > this.#bytes.length) this.#grow(length)
    this.#bytes.set(piece, this.#length)
    this.#length = length
    return true
  }

  /** All that was added; a view, of use until more is. */
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
