/**
 * A message as it came in → what keywords are searched in. A stranger wrote it: whatever it holds, this ends soon, with
 * some text, and never in an error.
 */
import type { Email, PostalMimeOptions } from 'postal-mime'
import type { MailText } from '../domain/signal.ts'
import { htmlToText } from './html-text.ts'

/** Taking a message apart costs by the byte, by the line and, a hundred times as much, by the part. */
const BYTES = 4 * 1024 * 1024
const LINES = 100_000
const DELIMITERS = 10_000
const HEADER_BYTES = 256 * 1024

/** A forwarded message is an attachment. */
const OPTIONS: PostalMimeOptions = {
  maxHeadersSize: HEADER_BYTES,
  maxRfc822NestingDepth: 0,
  forceRfc822Attachments: true,
}

/**
 * Subject and text of a message (RFC 5322, MIME), encodings undone; the body is the plain text and the HTML as text,
 * joined by a line end. Of a very long message the begin counts, of one that is broken what can be understood.
 * @param raw the whole message
 */
export async function readMessageText(raw: Uint8Array): Promise<MailText> {
  const begin = raw.subarray(0, searchedLength(raw))
  const message = (await parse(begin)) ?? (await parse(headOf(begin)))
  return { subject: message?.subject ?? '', body: bodyOf(message) }
}

function bodyOf(message: Email | null): string {
  const parts = [message?.text ?? '', htmlToText(message?.html ?? '')]
  return parts.filter((part) => part !== '').join('\n')
}

/** @returns null for what the parser refuses: too many headers, parts in parts in parts */
async function parse(message: Uint8Array): Promise<Email | null> {
  const { default: PostalMime } = await import('postal-mime')
  try {
    return await PostalMime.parse(message, OPTIONS)
  } catch {
    // Neither the sender nor the operator could do anything with the reason.
    return null
  }
}

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const HYPHEN = 0x2d

function searchedLength(raw: Uint8Array): number {
  const end = Math.min(raw.length, BYTES)
  let lines = 0
  let delimiters = 0
  for (let start = 0; start < end; ) {
    lines += 1
    if (raw[start] === HYPHEN && raw[start + 1] === HYPHEN) delimiters += 1
    if (lines > LINES || delimiters > DELIMITERS) return start
    start = endOfLine(raw, start)
  }
  return end
}

/** The headers alone, as far as the parser takes them. */
function headOf(message: Uint8Array): Uint8Array {
  const limit = Math.min(message.length, HEADER_BYTES)
  let length = 0
  for (let start = 0; start < limit && !isEmptyLine(message, start); start = endOfLine(message, start)) {
    length = Math.min(endOfLine(message, start), limit)
  }
  return message.subarray(0, length)
}

function isEmptyLine(bytes: Uint8Array, start: number): boolean {
  return bytes[start] === LINE_FEED || (bytes[start] === CARRIAGE_RETURN && bytes[start + 1] === LINE_FEED)
}

/** Where the next line begins. */
function endOfLine(bytes: Uint8Array, start: number): number {
  const lineFeed = bytes.indexOf(LINE_FEED, start)
  return lineFeed < 0 ? bytes.length : lineFeed + 1
}
