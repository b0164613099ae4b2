/**
 * Decodes the text parts of an email message. The generators yield about every {@link PIECE} bytes so that other work can run.
 * `postal-mime` would block the event loop for a tenth of a second per megabyte.
 */
import { decodePieces, encodingOf } from '../encodings.ts'
import type { TextPart } from './parts.ts'

/** Number of bytes or characters that can be processed within one or two milliseconds. */
export const PIECE = 32 * 1024
/** The charset used by old programs, and for unknown labels. */
const OLD_CHARSET = 'windows-1252'

/**
 * Decodes a part. Text without a declared charset is decoded as UTF-8 or, if it seems to come from an old program, as windows-1252. Each
 * line of the result ends with LF.
 */
export function* decodePart(part: TextPart): Generator<void, string> {
  const bytes = yield* DECODERS[part.encoding](part.body)
  const text = yield* decodeText(bytes, encodingOf(part.charset ?? 'utf-8') ?? OLD_CHARSET)
  const isOld = part.charset === null && text.includes('\ufffd')
  const decoded = isOld ? yield* decodeText(bytes, OLD_CHARSET) : text
  const lines = decoded === '' || decoded.endsWith('\n') ? decoded : `${decoded}\n`
  return part.isFlowed ? yield* joinFlowed(lines, part.dropsSpaces) : lines
}

type Decoder = (body: Buffer) => Generator<void, Buffer>

/** Decoders, keyed by transfer encoding (RFC 2045, 6). */
const DECODERS: Readonly<Record<TextPart['encoding'], Decoder>> = {
  // biome-ignore lint/correctness/useYield: there is nothing to do.
  *'8bit'(body) {
    return body
  },
  base64: decodeBase64,
  'quoted-printable': decodeQuotedPrintable,
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const [NO_DIGIT, PADDING] = [-1, -2]
const BASE64 = digits(ALPHABET).fill(PADDING, 0x3d, 0x3e)

/** Maps the byte of each digit to the digit's value. */
function digits(alphabet: string): Int8Array {
  const values = new Int8Array(256).fill(NO_DIGIT)
  for (const [value, digit] of [...alphabet].entries()) values[digit.charCodeAt(0)] = value
  return values
}

/** Decodes base64. Some programs pad the end of each line, so a digit after padding begins a new byte. Other characters are skipped. */
function* decodeBase64(body: Buffer): Generator<void, Buffer> {
  const bytes = Buffer.allocUnsafe(Math.ceil((body.length * 3) / 4))
  let [length, bits, held] = [0, 0, 0]
  for (let at = 0; ; ) {
    for (const end = Math.min(at + PIECE, body.length); at < end; at++) {
      const value = BASE64[body[at] as number] as number
      if (value === PADDING) held = 0
      if (value < 0) continue
      bits = ((bits << 6) | value) & 0xfff
      held += 6
      if (held < 8) continue
      held -= 8
      bytes[length++] = bits >> held
    }
    if (at === body.length) return bytes.subarray(0, length)
    yield
  }
}

const HEX = digits('0123456789ABCDEF')
for (const [value, digit] of [...'abcdef'].entries()) HEX[digit.charCodeAt(0)] = value + 10
const [EQUALS, LINE_FEED, CARRIAGE_RETURN] = [0x3d, 0x0a, 0x0d]

/** Decodes quoted-printable text. An `=` is kept if it begins neither an encoded byte nor a soft line break. */
function* decodeQuotedPrintable(body: Buffer): Generator<void, Buffer> {
  const bytes = Buffer.allocUnsafe(body.length)
  let length = 0
  for (let at = 0; ; ) {
    for (const end = at + PIECE; at < end && at < body.length; at++) {
      const byte = body[at] as number
      const [first, second] = byte === EQUALS ? [body[at + 1] ?? LINE_FEED, body[at + 2] ?? 0] : [0, 0]
      if (byte !== EQUALS) bytes[length++] = byte
      else if (first === LINE_FEED) at += 1
      else if (first === CARRIAGE_RETURN && second === LINE_FEED) at += 2
      else if ((HEX[first] as number) < 0 || (HEX[second] as number) < 0) bytes[length++] = byte
      else {
        bytes[length++] = ((HEX[first] as number) << 4) | (HEX[second] as number)
        at += 2
      }
    }
    if (at >= body.length) return bytes.subarray(0, length)
    yield
  }
}

function* decodeText(bytes: Buffer, encoding: string): Generator<void, string> {
  const texts: string[] = []
  let held = ''
  for (const piece of decodePieces(bytes, encoding, PIECE)) {
    if (texts.length > 0) yield
    const text = held + piece
    // The line feed may be in the next piece.
    held = text.endsWith('\r') ? '\r' : ''
    texts.push(text.slice(0, text.length - held.length).replaceAll('\r\n', '\n'))
  }
  return texts.join('') + held
}

/**
 * Joins lines that were broken only for display. Such lines end with a space (RFC 3676, 4). The line that separates a signature is not
 * joined.
 */
function* joinFlowed(text: string, dropsSpaces: boolean): Generator<void, string> {
  const lines: string[] = []
  let begins: boolean = true
  for (let [at, pause] = [0, PIECE]; at < text.length; ) {
    const end = text.indexOf('\n', at)
    const line = text.slice(text[at] === ' ' ? at + 1 : at, end)
    const isBroken: boolean = line.endsWith(' ') && !(begins && line === '-- ')
    lines.push(!isBroken ? `${line}\n` : dropsSpaces ? line.slice(0, -1) : line)
    begins = !isBroken
    at = end + 1
    if (at < pause) continue
    pause = at + PIECE
    yield
  }
  return lines.join('')
}

/** Maximum number of bytes to read from a message. */
export const READABLE_BYTES = 1024 * 1024

/** Returns the beginning of a message up to the limit. A UTF-8 character is never cut in half. */
export function readableBegin(raw: Uint8Array): Buffer {
  const message = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  if (message.length < READABLE_BYTES) return message
  let last = READABLE_BYTES - 1
  for (let count = 0; count < 3 && isWithin(message[last]); count++) last -= 1
  return message.subarray(0, (message[last] ?? 0) < 0xc0 ? READABLE_BYTES : last)
}

/** Returns true if the byte is part of a UTF-8 character but is not its first byte. */
function isWithin(byte = 0): boolean {
  return (byte & 0xc0) === 0x80
}
