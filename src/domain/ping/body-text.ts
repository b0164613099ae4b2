/**
 * Decodes the body of an HTTP ping, either as text in the encoding of the shell that sent it, or as a form. The stored bytes are not
 * changed.
 */
import { decodeText, encodingOf, markedEncoding, unitOf } from '../../lib/encodings.ts'
import { boundaryOf } from '../../lib/formats/multipart.ts'
import { withoutEscapes } from '../../lib/text/text.ts'
import { encodedFormText, isEncodedForm, multipartText } from './form-text.ts'

/** The beginning or end of a body, or the entire body. */
export interface BodyPart {
  readonly bytes: Uint8Array
  /** size of the complete body, in bytes */
  readonly size: number
  /** see {@link readingType} */
  readonly contentType: string | null
}

const FORM = 'application/x-www-form-urlencoded'
const UTF_8 = 'utf-8'
const MULTIPART = /^\s*multipart\/[^\s;]*/i
/** Number of bytes that is enough for a boundary line. A boundary has at most 70 characters (RFC 2046, 5.1.1). */
const BOUNDARY_BYTES = 80

/**
 * Returns how to decode a body that is not plain UTF-8 text: its Content-Type, reduced to the form type, boundary and encoding. Returns
 * null for plain UTF-8 text or an unknown type. A byte order mark takes precedence over the Content-Type (Encoding standard, 6). So does a
 * body that is valid UTF-8, because programs declare a charset without checking what they send.
 * @param header the Content-Type header as the client sent it
 */
export function readingType(header: string | null, body: Uint8Array): string | null {
  const marked = markedEncoding(body)
  if (marked !== null) return textIn(marked)
  if (header === null) return null
  const end = header.indexOf(';')
  const mediaType = (end < 0 ? header : header.slice(0, end)).trim().toLowerCase()
  if (mediaType === FORM && isEncodedForm(body)) return FORM
  return mediaType.startsWith('multipart/') ? formWithFiles(header, body) : declaredText(header, body)
}

const textIn = (encoding: string) => `text/plain; charset=${encoding}`

/**
 * Returns the Content-Type of a form with files. Other multipart bodies are also read as forms, even if their header lacks the boundary,
 * which happens with browser scripts.
 */
function formWithFiles(header: string, body: Uint8Array): string | null {
  const begin = Buffer.from(body.subarray(0, BOUNDARY_BYTES)).toString('latin1')
  // A line break may precede the first boundary (RFC 2046, 5.1.1).
  const [, line = ''] = /^(?:\r?\n)?--([^\r\n"]{1,70})\r?\n/.exec(begin) ?? []
  const boundary = line.trimEnd()
  const declared = boundaryOf(header.replace(MULTIPART, 'multipart/form-data')) ?? boundary
  return boundary !== '' && boundary === declared ? `multipart/form-data; boundary="${boundary}"` : null
}

const CHARSET = /;\s*charset\s*=\s*["']?([\w.:+-]{1,40})/i

function declaredText(type: string, body: Uint8Array): string | null {
  const encoding = declaredEncoding(type)
  return encoding === UTF_8 || isPlainUtf8(body) ? null : textIn(encoding)
}

/** Returns the declared encoding; UTF-8 if the charset is missing or unknown. */
function declaredEncoding(type: string): string {
  const label = CHARSET.exec(type)?.[1]
  return (label === undefined ? null : encodingOf(label)) ?? UTF_8
}

function isPlainUtf8(bytes: Uint8Array): boolean {
  try {
    return !new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true }).includes('\0')
  } catch {
    return false
  }
}

/** Decodes the beginning of a body, or the entire body. Drops a character that is cut off at the end. Invalid bytes become U+FFFD. */
export function decodeStart(part: BodyPart): string {
  return decode(part, true)
}

/** Returns the text of {@link decodeStart} as a terminal would show it. */
export function startText(part: BodyPart): string {
  return withoutEscapes(decodeStart(part))
}

/** Returns the end of a body as a terminal would show it. */
export function endText(part: BodyPart): string {
  return withoutEscapes(decode(part, part.bytes.length >= part.size))
}

/** Whether a body is not text, based on its beginning. */
export function isBinary(part: BodyPart): boolean {
  if (part.contentType !== null || markedEncoding(part.bytes) !== null) return decodeStart(part).includes('\0')
  return !isPlainUtf8(part.bytes)
}

function decode({ bytes, size, contentType }: BodyPart, isBeginning: boolean): string {
  const isCut = isBeginning && bytes.length < size
  // Old pings, and pings imported from other programs, were stored without a type.
  if (contentType === null) return decodeText(bytes, markedEncoding(bytes) ?? UTF_8, isCut)
  if (contentType === FORM) return encodedFormText(decodeText(bytes, UTF_8, isCut))
  if (boundaryOf(contentType) !== null) return multipartText(bytes, contentType, isBeginning, partText)
  const encoding = declaredEncoding(contentType)
  const unit = unitOf(encoding)
  // The end of a body can begin in the middle of a character.
  const begin = isBeginning ? 0 : (unit - ((size - bytes.length) % unit)) % unit
  return decodeText(bytes.subarray(begin), encoding, isCut)
}

/** Decodes one part of a form. Nested parts are not supported. */
function partText(bytes: Uint8Array, type: string | null): string {
  const contentType = markedEncoding(bytes) === null ? declaredText(type ?? '', bytes) : null
  return decode({ bytes, size: bytes.length, contentType }, true)
}
