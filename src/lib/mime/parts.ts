/**
 * Splits a message into its text parts (MIME, RFC 2046) without decoding their transfer encodings. Skips attachments and forwarded
 * messages. The depth and the number of parts are limited, because anyone can send a message. `postal-mime` is not used because it parses
 * the entire message and converts its HTML, which takes a minute for 1 MiB of `<a href="`.
 */
import { MIMEType } from 'node:util'
import { type Head, readHead } from './head.ts'

export interface TextPart {
  readonly isHtml: boolean
  /** name of the declared charset; null if none is declared */
  readonly charset: string | null
  /** `format=flowed` and `delsp=yes` (RFC 3676) */
  readonly isFlowed: boolean
  readonly dropsSpaces: boolean
  readonly encoding: 'base64' | 'quoted-printable' | '8bit'
  readonly body: Buffer
}

const DEPTH = 10
const PARTS = 1_000

/** @param head the message's header */
export function textPartsOf(head: Head): Generator<TextPart> {
  return walk(head, PLAIN, 0, { parts: PARTS })
}

const PLAIN = 'text/plain'

function* walk(head: Head, usualType: string, depth: number, left: { parts: number }): Generator<TextPart> {
  const type = parseType(head, usualType)
  const boundary = type.params.get('boundary')
  if (type.type !== 'multipart') {
    const part = textPart(head, type)
    if (part) yield part
  } else if (boundary && depth < DEPTH) {
    const usualInside = type.subtype === 'digest' ? 'message/rfc822' : PLAIN
    for (const part of split(head.body, boundary)) {
      if (left.parts === 0) return
      left.parts -= 1
      yield* walk(readHead(part), usualInside, depth + 1, left)
    }
  }
}

/** Parses a Content-Type. An invalid one is treated as plain text (RFC 2045, 5.2). */
function parseType({ fields }: Head, usual: string): MIMEType {
  try {
    return new MIMEType(fields.get('content-type') ?? usual)
  } catch {
    return new MIMEType(PLAIN)
  }
}

function textPart({ fields, body }: Head, { essence, params }: MIMEType): TextPart | null {
  if (essence !== 'text/html' && essence !== PLAIN) return null
  if (/^attachment\b/i.test(fields.get('content-disposition') ?? '')) return null
  return {
    isHtml: essence === 'text/html',
    // A comment may follow the charset.
    charset: /^\s*([-+.:\w]{1,60})/.exec(params.get('charset') ?? '')?.[1] ?? null,
    isFlowed: params.get('format')?.toLowerCase() === 'flowed',
    dropsSpaces: params.get('delsp')?.toLowerCase() === 'yes',
    encoding: transferEncoding(fields.get('content-transfer-encoding') ?? ''),
    body,
  }
}

function transferEncoding(field: string): TextPart['encoding'] {
  if (/\bbase64\b/i.test(field)) return 'base64'
  return /\bquoted-printable\b/i.test(field) ? 'quoted-printable' : '8bit'
}

/** Yields the bytes between delimiters (RFC 2046, 5.1.1). The last part doesn't need a final delimiter. */
function* split(body: Buffer, boundary: string): Generator<Buffer> {
  let begin: number | null = null
  for (const delimiter of delimiters(body, boundary)) {
    if (begin !== null) yield body.subarray(begin, delimiter.start)
    begin = delimiter.end
    if (delimiter.isLast) return
  }
  if (begin !== null) yield body.subarray(begin)
}

interface Delimiter {
  /** start of the line, including the line break that precedes it */
  readonly start: number
  /** start of the next line */
  readonly end: number
  readonly isLast: boolean
}

function* delimiters(body: Buffer, boundary: string): Generator<Delimiter> {
  const mark = Buffer.from(`--${boundary}`)
  const nextMark = Buffer.from(`\n--${boundary}`)
  const startsWithMark = body.subarray(0, mark.length).equals(mark)
  for (let position = startsWithMark ? 0 : nextLine(body, nextMark, 0); position < body.length; ) {
    const behind = position + mark.length
    const lineFeed = body.indexOf('\n', behind)
    const end = lineFeed < 0 ? body.length : lineFeed + 1
    const rest = body.toString('latin1', behind, Math.min(end, behind + LINE_REST)).trimEnd()
    const isWhole = end - behind <= LINE_REST
    if (isWhole && (rest === '' || rest === '--')) yield { start: position, end, isLast: rest === '--' }
    position = nextLine(body, nextMark, end - 1)
  }
}

/** Maximum length of the white space that follows a delimiter. */
const LINE_REST = 200

/** Returns the start of the line after the next mark; the length of the body if there is none. */
function nextLine(body: Buffer, mark: Buffer, from: number): number {
  const found = body.indexOf(mark, from)
  return found < 0 ? body.length : found + 1
}
