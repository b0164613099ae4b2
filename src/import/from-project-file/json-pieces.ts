/**
 * Splits a JSON document (RFC 8259) into values. The document may be larger than the available memory. The values are the members of the
 * outermost object, and the elements of arrays that the caller names. `JSON.parse` parses each value; this code only tracks quotes and
 * brackets.
 */

export interface JsonPiece {
  /** name of a member of the outermost object */
  readonly member: string
  /** index of an array element; null if the piece is the member's complete value */
  readonly index: number | null
  readonly value: unknown
  /** offset in the document, in bytes */
  readonly start: number
  readonly end: number
}

/** Error thrown if the document is not JSON, or contains a value that is too long. */
export class JsonPieceError extends Error {
  override readonly name = 'JsonPieceError'

  /** @param message description of the error @param offset position of the error in the document, in bytes */
  constructor(
    message: string,
    readonly offset: number,
  ) {
    super(message)
  }
}

export interface JsonPieceOptions {
  /** members whose arrays are split into elements */
  readonly arrays: ReadonlySet<string>
  /** maximum size of a piece, in bytes */
  readonly limit: number
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d]

const isBlank = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
const isOpening = (byte: number) => byte === OPEN_BRACE || byte === OPEN_BRACKET
const isClosing = (byte: number) => byte === CLOSE_BRACE || byte === CLOSE_BRACKET

/** @throws JsonPieceError */
export async function* jsonPieces(
  chunks: AsyncIterable<Uint8Array>,
  { arrays, limit }: JsonPieceOptions,
): AsyncGenerator<JsonPiece> {
  const input = new Input(chunks, limit)
  const seen = new Set<string>()
  await input.expect(OPEN_BRACE, 'a document that begins with {')
  if ((await input.peek()) === CLOSE_BRACE) await input.expect(CLOSE_BRACE, '}')
  else {
    do {
      const member = await input.name()
      if (seen.has(member)) throw input.error(`the member ${JSON.stringify(member)} occurs twice`)
      seen.add(member)
      await input.expect(COLON, ':')
      if (arrays.has(member) && (await input.peek()) === OPEN_BRACKET) yield* elements(input, member)
      else yield { member, index: null, ...(await input.value()) }
    } while ((await input.oneOf(COMMA, CLOSE_BRACE, ', or }')) === COMMA)
  }
  if ((await input.peek()) !== null) throw input.error('there is text after the end of the document')
}

async function* elements(input: Input, member: string): AsyncGenerator<JsonPiece> {
  await input.expect(OPEN_BRACKET, '[')
  if ((await input.peek()) === CLOSE_BRACKET) return input.expect(CLOSE_BRACKET, ']')
  let index = 0
  do yield { member, index: index++, ...(await input.value()) }
  while ((await input.oneOf(COMMA, CLOSE_BRACKET, ', or ]')) === COMMA)
}

type Value = Pick<JsonPiece, 'value' | 'start' | 'end'>

/** Buffer that contains the bytes of the document from the beginning of the current value. */
class Input {
  readonly #chunks: AsyncIterator<Uint8Array>
  readonly #limit: number
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  #bytes = new Uint8Array(0)
  /** number of filled bytes in `#bytes` */
  #length = 0
  #at = 0
  /** offset of `#bytes[0]` in the document */
  #base = 0

  constructor(chunks: AsyncIterable<Uint8Array>, limit: number) {
    this.#chunks = chunks[Symbol.asyncIterator]()
    this.#limit = limit
  }

  error(message: string, at = this.#at): JsonPieceError {
    return new JsonPieceError(message, this.#base + at)
  }

  /** Returns the next byte that is not whitespace, without consuming it. @returns null at the end of the document */
  async peek(): Promise<number | null> {
    while (true) {
      while (this.#at < this.#length) {
        const byte = this.#bytes[this.#at] ?? 0
        if (!isBlank(byte)) return byte
        this.#at++
      }
      if (!(await this.#fill(this.#at))) return null
    }
  }

  async expect(byte: number, what: string): Promise<void> {
    await this.oneOf(byte, byte, what)
  }

  async oneOf(one: number, other: number, what: string): Promise<number> {
    const byte = await this.peek()
    if (byte !== one && byte !== other) throw this.error(this.#missing(byte, what))
    this.#at++
    return byte
  }

  async name(): Promise<string> {
    const first = await this.peek()
    if (first !== QUOTE) throw this.error(this.#missing(first, 'the name of a member'))
    return String((await this.value()).value)
  }

  async value(): Promise<Value> {
    const first = await this.peek()
    if (first === null) throw this.error(this.#missing(null, 'a value'))
    const from = await this.#skip(first)
    const start = this.#base + from
    const value = this.#parse(this.#bytes.subarray(from, this.#at), from)
    return { value, start, end: this.#base + this.#at }
  }

  #missing(byte: number | null, what: string): string {
    return byte === null ? `it ends where ${what} should follow` : `${what} should be here`
  }

  #parse(bytes: Uint8Array, from: number): unknown {
    try {
      return JSON.parse(this.#decoder.decode(bytes))
    } catch {
      throw this.error('this is not JSON', from)
    }
  }

  /** Moves to the end of a value. @returns the offset in `#bytes` at which the value begins */
  async #skip(first: number): Promise<number> {
    const isText = first === QUOTE
    const isScalar = !isText && !isOpening(first)
    let [from, depth, inText] = [this.#at, 0, false]
    for (let offset = 0; ; offset++) {
      while (from + offset >= this.#length) {
        const hasMore = await this.#fill(from)
        if (!hasMore && !isScalar) throw this.error('it ends within a value', 0)
        from = 0
        if (!hasMore) return this.#end(from, offset)
      }
      const byte = this.#bytes[from + offset] ?? 0
      if (inText) {
        if (byte === BACKSLASH) offset++
        else if (byte === QUOTE) inText = false
      } else if (isScalar && (byte === COMMA || isClosing(byte) || isBlank(byte))) return this.#end(from, offset)
      else if (byte === QUOTE) inText = true
      else if (isOpening(byte)) depth++
      else if (isClosing(byte)) depth--
      if (!inText && !isScalar && depth === 0) return this.#end(from, offset + 1)
    }
  }

  #end(from: number, length: number): number {
    this.#at = from + length
    return from
  }

  /**
   * Reads the next chunk. Drops the bytes before `from`, so that the byte at `from` moves to offset 0. @returns false at the end of the
   * document
   */
  async #fill(from: number): Promise<boolean> {
    const kept = this.#bytes.subarray(from, this.#length)
    if (kept.length > this.#limit) throw this.error(`a value has more than ${this.#limit} bytes`, from)
    const { done, value: chunk } = await this.#chunks.next()
    const added = done ? new Uint8Array(0) : chunk
    const length = kept.length + added.length
    // The buffer's size doubles each time. Otherwise a long value would be copied for each chunk.
    const bytes = length > this.#bytes.length ? new Uint8Array(Math.max(length, 2 * this.#bytes.length)) : this.#bytes
    if (bytes === this.#bytes) bytes.copyWithin(0, from, this.#length)
    else bytes.set(kept)
    bytes.set(added, kept.length)
    this.#bytes = bytes
    this.#length = length
    this.#base += from
    this.#at -= from
    return !done
  }
}
