/** Reads a chunked body as it arrives (RFC 9112, 7.1). It does not support trailers. */

/** Number of kept bytes, longer than any expected end of a body. */
const KEPT = 64

export class ChunkedBody {
  /** bytes of the body so far, without the framing */
  length = 0
  isOver = false
  /** last bytes of the body */
  end: Buffer = Buffer.alloc(0)
  /** missing bytes of the current chunk */
  #missing = 0
  /** line with the size of the next chunk as far as it has arrived; begins with the line end of the previous chunk */
  #line = '\r\n'

  take(bytes: Buffer): void {
    let at = 0
    while (at < bytes.length && !this.isOver) {
      at += this.#missing > 0 ? this.#takeData(bytes.subarray(at, at + this.#missing)) : this.#takeLine(bytes, at)
    }
  }

  #takeData(data: Buffer): number {
    this.#missing -= data.length
    this.length += data.length
    this.end = data.length >= KEPT ? data.subarray(-KEPT) : Buffer.concat([this.end, data]).subarray(-KEPT)
    return data.length
  }

  /** Reads the line with the size. Except for the first chunk, it follows the line end of the previous chunk. */
  #takeLine(bytes: Buffer, at: number): number {
    const lineEnd = bytes.indexOf('\n', at)
    const until = lineEnd < 0 ? bytes.length : lineEnd + 1
    this.#line += bytes.toString('latin1', at, until)
    const size = /^\r\n([0-9a-f]+)[^\n]*\n(\r\n)?$/i.exec(this.#line)
    if (size === null) return until - at
    const isLast = Number.parseInt(size[1] ?? '', 16) === 0
    if (isLast && size[2] === undefined) return until - at
    this.#missing = Number.parseInt(size[1] ?? '', 16)
    this.isOver = isLast
    this.#line = ''
    return until - at
  }
}
