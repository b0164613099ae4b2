/** Extracts the text of a form that was sent as the body of a ping, as with `curl --data-urlencode` or `curl -F`. */
import { boundaryOf } from '../../lib/formats/multipart.ts'

/** Maximum number of form parts to show. More would be unreadable. */
const PARTS_LIMIT = 100

/**
 * Returns the names and values of a URL-encoded form (URL standard, 5), one field per line. If the beginning of the form is cut off, the
 * first value has no name and is on a line of its own.
 * @param text as the client sent it
 */
export function encodedFormText(text: string): string {
  return Array.from(new URLSearchParams(text), ([name, value]) => (value === '' ? name : `${name}=${value}`)).join('\n')
}

/** Number of bytes that are examined to determine whether a body is a form. */
const FORM_BYTES = 1_000
const NAME_BYTES = 100

/**
 * Whether a body really is a form. This must be checked because curl labels every body as one. A form begins with a name and contains no
 * character that would have to be encoded. It must also contain an escape sequence or a second field.
 */
export function isEncodedForm(body: Uint8Array): boolean {
  if (!beginsWithName(body)) return false
  const text = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, FORM_BYTES)).toString('latin1')
  return /^[\x21-\x7e]+$/.test(text) && /[&%+]/.test(text)
}

/** Whether a body begins with a field name. For most bodies, the first few bytes show that it doesn't. */
function beginsWithName(body: Uint8Array): boolean {
  for (let at = 0; at <= NAME_BYTES; at++) {
    const byte = body[at]
    if (byte === EQUALS) return at > 0
    if (byte === undefined || byte <= BLANK || byte === AMPERSAND) return false
  }
  return false
}

const [BLANK, AMPERSAND, EQUALS] = [0x20, 0x26, 0x3d]

/**
 * Returns the parts of a form with files (RFC 7578): the name and value of each field, and the text of each file, or its name if the file
 * is not text.
 * @param isBeginning false if the bytes may begin in the middle of a part; that part is then treated as text
 * @param decode returns a part's text, based on its Content-Type
 */
export function multipartText(
  bytes: Uint8Array,
  contentType: string,
  isBeginning: boolean,
  decode: (bytes: Uint8Array, contentType: string | null) => string,
): string {
  const [first, ...parts] = piecesOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), contentType)
  const begun = isBeginning || first === undefined ? [] : [decode(first, null)]
  return [...begun, ...parts.flatMap((part) => partText(part, decode))].filter((text) => text !== '').join('\n')
}

/** Returns the bytes between the boundaries. A boundary must be at the start of a line. */
function piecesOf(bytes: Buffer, contentType: string): Buffer[] {
  const boundary = `--${boundaryOf(contentType) ?? ''}`
  const pieces: Buffer[] = []
  let from = 0
  while (pieces.length <= PARTS_LIMIT) {
    const at = bytes.indexOf(boundary, from, 'latin1')
    pieces.push(withoutLineEnd(bytes.subarray(from, at < 0 ? undefined : at)))
    if (at < 0) break
    from = at + boundary.length
  }
  return pieces
}

function withoutLineEnd(piece: Buffer): Buffer {
  const [end] = /\r?\n$/.exec(piece.subarray(-2).toString('latin1')) ?? ['']
  return piece.subarray(0, piece.length - end.length)
}

/** Number of bytes that are searched for a part's header. */
const HEAD_LIMIT = 2_000

/** Returns the text of a form part. Returns an empty list if the bytes are the end of the form or a truncated header instead of a part. */
function partText(part: Buffer, decode: (bytes: Uint8Array, contentType: string | null) => string): string[] {
  // Scripts that assemble a form themselves may end lines with LF instead of CRLF.
  const end = /^.*?\r?\n\r?\n/s.exec(part.toString('latin1', 0, HEAD_LIMIT))?.[0].length
  if (end === undefined) return []
  const head = part.toString('utf8', 0, end)
  const name = /^content-disposition:[^\r\n]*?;\s*name="([^"\r\n]*)"/im.exec(head)?.[1]
  const file = /^content-disposition:[^\r\n]*?;\s*filename="([^"\r\n]*)"/im.exec(head)?.[1]
  const type = /^content-type:[ \t]*([^\r\n]*)/im.exec(head)?.[1] ?? null
  const text = decode(part.subarray(end), type)
  if (file !== undefined) return [text.includes('\0') ? `(${file})` : text]
  return [name === undefined ? text : `${name}=${text}`]
}
