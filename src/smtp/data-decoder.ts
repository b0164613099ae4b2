/**
 * Decodes the bytes after DATA: undoes dot-stuffing and finds the line that ends the message (RFC 5321, 4.5.2). Reads the bytes in one
 * pass. A piece may end anywhere.
 */

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const DOT = 0x2e

/** The last bytes that were read. In the last three states, bytes are held back until the next byte decides their meaning. */
type State = 'in-line' | 'CR' | 'LF' | 'CRLF' | 'LF .' | 'CRLF .' | 'CRLF . CR'

interface Decoded {
  /** the next bytes of the message */
  readonly bytes: Buffer
  /** the bytes after the end of the message; null if the end has not been reached */
  readonly rest: Buffer | null
}

/** Decodes one message. */
export class DataDecoder {
  /** Even the first line of a message may be the final dot. */
  #state: State = 'CRLF'

  /** Call this method for each piece until the result has a `rest`. */
  decode(piece: Buffer): Decoded {
    return this.#isPlain(piece) ? this.#pass(piece) : this.#decode(piece)
  }

  /** Returns true if no line in the piece begins with a dot. This is true of nearly all pieces, and they are not copied. */
  #isPlain(piece: Buffer): boolean {
    const isAtLine = this.#state === 'LF' || this.#state === 'CRLF'
    const isHeldBack = !isAtLine && this.#state !== 'in-line' && this.#state !== 'CR'
    return !isHeldBack && !(isAtLine && piece[0] === DOT) && !piece.includes('\n.')
  }

  #pass(piece: Buffer): Decoded {
    for (const byte of piece.subarray(-2)) this.#state = after(this.#state, byte)
    return { bytes: piece, rest: null }
  }

  #decode(piece: Buffer): Decoded {
    // Up to two bytes may have been held back earlier.
    const bytes = Buffer.allocUnsafe(piece.length + 2)
    let length = 0
    let state = this.#state
    for (let position = 0; position < piece.length; position++) {
      const byte = piece[position] as number
      switch (state) {
        case 'CRLF . CR':
          if (byte === LINE_FEED) return { bytes: bytes.subarray(0, length), rest: piece.subarray(position + 1) }
          bytes[length++] = DOT
          bytes[length++] = CARRIAGE_RETURN
          state = 'CR'
          break
        case 'CRLF .':
          if (byte === CARRIAGE_RETURN) {
            state = 'CRLF . CR'
            continue
          }
          if (byte !== DOT) bytes[length++] = DOT
          state = 'in-line'
          break
        case 'LF .':
          if (byte !== DOT) bytes[length++] = DOT
          state = 'in-line'
          break
        case 'LF':
        case 'CRLF':
          if (byte === DOT) {
            state = state === 'LF' ? 'LF .' : 'CRLF .'
            continue
          }
      }
      bytes[length++] = byte
      state = after(state, byte)
    }
    this.#state = state
    return { bytes: bytes.subarray(0, length), rest: null }
  }
}

/**
 * Returns the next state. The dot ends the message only after a complete CR LF, because accepting a bare LF would allow message smuggling.
 */
function after(state: State, byte: number): State {
  if (byte === LINE_FEED) return state === 'CR' ? 'CRLF' : 'LF'
  return byte === CARRIAGE_RETURN ? 'CR' : 'in-line'
}
