/** Reads just enough HTTP to check that an answer is complete and correct, and cheaply enough for every request of a load. */
import { ChunkedBody } from './chunked-body.ts'

export interface ExpectedAnswer {
  /** length of the body; null when only its end is known */
  readonly bytes: number | null
  /** end of the body, in ASCII */
  readonly end: string
}

/** State of a connection that waits for an answer. */
export interface PartialAnswer {
  /** bytes so far while the head is incomplete */
  head: Buffer | null
  /** bytes of the body that are still missing */
  missing: number
  isRight: boolean
  previous: Buffer
  /** body of an answer without Content-Length */
  chunked: ChunkedBody | null
}

export function nothingYet(): PartialAnswer {
  return { head: null, missing: 0, isRight: true, previous: Buffer.alloc(0), chunked: null }
}

/** Reads the answers of one server, all of which should be alike. */
export class AnswerReader {
  readonly #bytes: number | null
  readonly #end: Buffer
  /** The length of an answer that was parsed fully. One of the same length in one piece then needs a short check only. */
  #usualLength = -1

  constructor({ bytes, end }: ExpectedAnswer) {
    this.#bytes = bytes
    this.#end = Buffer.from(end)
  }

  /**
   * @param partial the state of this connection, which is updated
   * @returns whether the answer is correct; null while it is incomplete
   */
  take(partial: PartialAnswer, chunk: Buffer): boolean | null {
    if (partial.chunked) return this.#takeChunked(partial, partial.chunked, chunk)
    if (partial.missing > 0) return this.#takeBody(partial, chunk)
    if (partial.head === null && chunk.length === this.#usualLength && isSuccess(chunk) && this.#endsRight(chunk)) {
      return true
    }
    const bytes = partial.head === null ? chunk : Buffer.concat([partial.head, chunk])
    const headEnd = bytes.indexOf('\r\n\r\n')
    if (headEnd < 0) {
      partial.head = bytes
      return null
    }
    partial.head = null
    const head = bytes.toString('latin1', 0, headEnd)
    const length = contentLength(head)
    const body = bytes.subarray(headEnd + 4)
    if (isChunked(head)) {
      partial.isRight = isSuccess(bytes)
      partial.chunked = new ChunkedBody()
      return this.#takeChunked(partial, partial.chunked, body)
    }
    partial.isRight = isSuccess(bytes) && (this.#bytes === null || length === this.#bytes)
    partial.missing = length
    if (body.length < length) {
      partial.missing -= body.length
      partial.previous = body
      return null
    }
    const isRight = this.#takeBody(partial, body)
    if (isRight && bytes === chunk) this.#usualLength = chunk.length
    return isRight
  }

  #takeChunked(partial: PartialAnswer, body: ChunkedBody, bytes: Buffer): boolean | null {
    body.take(bytes)
    if (!body.isOver) return null
    partial.chunked = null
    return partial.isRight && (this.#bytes === null || body.length === this.#bytes) && this.#endsRight(body.end)
  }

  #takeBody(partial: PartialAnswer, chunk: Buffer): boolean | null {
    partial.missing -= chunk.length
    const tail = chunk.length < this.#end.length ? Buffer.concat([partial.previous, chunk]) : chunk
    partial.previous = chunk
    if (partial.missing > 0) return null
    const isRight = partial.isRight && partial.missing === 0 && this.#endsRight(tail)
    partial.missing = 0
    return isRight
  }

  #endsRight(bytes: Buffer): boolean {
    const start = bytes.length - this.#end.length
    for (let i = 0; i < this.#end.length; i += 1) if (bytes[start + i] !== this.#end[i]) return false
    return true
  }
}

/** Whether the answer begins with `HTTP/1.1 200`. */
function isSuccess(bytes: Buffer): boolean {
  return bytes[9] === 50 && bytes[10] === 48 && bytes[11] === 48
}

function isChunked(head: string): boolean {
  return /\r\ntransfer-encoding: *chunked/i.test(head)
}

function contentLength(head: string): number {
  return Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
}
