/** The body of an HTTP ping as text: in the encoding of the shell that wrote it, or as a form. Its bytes stay as they came. */
import { boundaryOf } from '../../lib/multipart.ts'
import { withoutEscapes } from '../../lib/text.ts'
import { encodedFormText, isEncodedForm, multipartText } from './form-text.ts'

/** The beginning or the end of a body, or all of it. */
export interface BodyPart {
  readonly bytes: Uint8Array
  /** of the whole body */
  readonly size: number
  /** see {@link readingType} */
  readonly contentType: string | null
}

const FORM = 'application/x-www-form-urlencoded'
/** Of a body, to tell whether it is a form. */
const FORM_BYTES = 1_000

/**
 * How a body is to be read if it is neither plain text in UTF-8 nor something unknown, for which the result is null: a Content-Type of
 * which nothing but the form, its boundary and the encoding is left. A byte order mark outweighs the Content-Type (Encoding standard, 6), and so
 * does text that is UTF-8: programs name a charset without looking at what they send.
 * @param header the Content-Type as sent
 */
export function readingType(header: string | null, body: Uint8Array): string | null {
  const marked = markedEncoding(body)
  if (marked !== null) return textIn(marked)
  if (header === null) return null
  const [mediaType = ''] = header.split(';', 1)
  switch (mediaType.trim().toLowerCase()) {
    case FORM:
      return isEncodedForm(Buffer.from(body.subarray(0, FORM_BYTES)).toString('latin1'))
        ? FORM
        : declaredText(header, body)
    case 'multipart/form-data':
      return formWithFiles(header, body)
    default:
      return declaredText(header, body)
  }
}

const textIn = (encoding: string) => `text/plain; charset=${encoding}`

/** The encoding that a byte order mark tells; null without one, and for UTF-8. */
function markedEncoding([first, second]: Uint8Array): string | null {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : null
}

function formWithFiles(header: string, body: Uint8Array): string | null {
  const boundary = boundaryOf(header)
  if (boundary === null) return null
  const begins = Buffer.from(body.subarray(0, boundary.length + 2)).toString('latin1') === `--${boundary}`
  return begins ? `multipart/form-data; boundary="${boundary}"` : null
}

const CHARSET = /;\s*charset\s*=\s*["']?([\w.:+-]{1,40})/i

function declaredText(type: string, body: Uint8Array): string | null {
  const label = CHARSET.exec(type)?.[1]
  const encoding = label === undefined ? 'utf-8' : encodingOf(label)
  return encoding === 'utf-8' || isPlainUtf8(body) ? null : textIn(encoding)
}

/** The name of an encoding (Encoding standard, 4.2); UTF-8 for one that is not known. */
function encodingOf(label: string): string {
  try {
    return decoderOf(label).encoding
  } catch {
    return 'utf-8'
  }
}

/** @throws RangeError for a label that is not known */
function decoderOf(label: string): TextDecoder {
  // The types of Bun know only some of its labels.
  return new TextDecoder(label as Bun.Encoding)
}

function isPlainUtf8(bytes: Uint8Array): boolean {
  try {
    return !new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true }).includes('\0')
  } catch {
    return false
  }
}

/** The beginning of a body, or all of it, decoded; a character in which it is cut is left out. Invalid bytes become U+FFFD. */
export function decodeStart(part: BodyPart): string {
  return decode(part, true)
}

/** {@link decodeStart} as a terminal shows it. */
export function startText(part: BodyPart): string {
  return withoutEscapes(decodeStart(part))
}

/** The end of a body as a terminal shows it. */
export function endText(part: BodyPart): string {
  return withoutEscapes(decode(part, part.bytes.length >= part.size))
}

/** True for the beginning of a body that is no text. */
export function isBinary(part: BodyPart): boolean {
  if (part.contentType !== null || markedEncoding(part.bytes) !== null) return decodeStart(part).includes('\0')
  return !isPlainUtf8(part.bytes)
}

function decode({ bytes, size, contentType }: BodyPart, isBeginning: boolean): string {
  const cut = { stream: isBeginning && bytes.length < size }
  // Pings of before, and of other monitors, were stored without a type.
  if (contentType === null) return decoderOf(markedEncoding(bytes) ?? 'utf-8').decode(bytes, cut)
  if (contentType === FORM) return encodedFormText(new TextDecoder().decode(bytes, cut))
  if (boundaryOf(contentType) !== null) return multipartText(bytes, contentType, isBeginning, partText)
  const encoding = encodingOf(CHARSET.exec(contentType)?.[1] ?? 'utf-8')
  // The end of a body may begin within a character.
  const isHalved = !isBeginning && encoding.startsWith('utf-16') && (size - bytes.length) % 2 === 1
  return decoderOf(encoding).decode(isHalved ? bytes.subarray(1) : bytes, cut)
}

/** Of a part of a form, which has no parts itself. */
function partText(bytes: Uint8Array, type: string | null): string {
  const contentType = markedEncoding(bytes) === null ? declaredText(type ?? '', bytes) : null
  return decode({ bytes, size: bytes.length, contentType }, true)
}
