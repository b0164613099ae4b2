/**
 * What a client sends after DATA → the message: doubled dots undone, up to the line that is a dot alone (RFC 5321, 4.5.2).
 * One pass over the bytes, whatever the lines are, and pieces may end anywhere.
 */

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const DOT = 0x2e

/** What the bytes so far end in. Those of the last three are held back, as what comes next decides what they are. */
type State = 'in-line' | 'CR' | 'LF' | 'CRLF' | 'LF .' | 'CRLF .' | 'CRLF . CR'

export interface Decoded {
  /** bytes of the message */
  readonly bytes: Buffer
  /** what follows the end of the message; null until that has come */
  readonly rest: Buffer | null
}

/** Of one message. */
export class DataDecoder {
  /** The dot alone may come at once, as after a line. */
  #state: State = 'CRLF'

  /** To be called with piece after piece until one has a rest. */
  decode(piece: Buffer): Decoded {
    return this.#isPlain(piece) ? this.#pass(piece) : this.#decode(piece)
  }

  /** True when no line of the piece begins with a dot, as in nearly all: then nothing has to be copied. */
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
    // Two bytes may have been held back.
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

/** Only a whole CR LF before the dot lets it end the message: what takes a bare LF for it can be made to see two messages. */
function after(state: State, byte: number): State {
  if (byte === LINE_FEED) return state === 'CR' ? 'CRLF' : 'LF'
  return byte === CARRIAGE_RETURN ? 'CR' : 'in-line'
}
