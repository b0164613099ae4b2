/** Extracts the text for the keyword search. Anyone can send a message: this always ends soon, and never with an error. */
import type { MailText } from '../domain/ping/signal.ts'
import type { EventLoopYield } from '../lib/event-loop-yield.ts'
import { htmlToText } from './html-text.ts'
import { readHead } from './message-head.ts'
import { type TextPart, textPartsOf } from './message-parts.ts'

/** The cost of reading depends on bytes, lines and parts, so each is limited. */
const BYTES = 1024 * 1024
const LINES = 50_000
const TEXT_PARTS = 100

/**
 * The decoded subject and text of a message (RFC 5322, MIME). The body joins plain text parts and HTML parts as text with
 * line ends. Only the first megabyte of a long message is read, and whatever is readable of a broken one.
 * @param raw the whole message
 * @param eventLoop shared by all messages
 */
export async function readMessageText(raw: Uint8Array, eventLoop: EventLoopYield): Promise<MailText> {
  const head = await eventLoop.step(async () => readHead(begin(raw)))
  const body: string[] = []
  // One part per step, so that others get their turn in between.
  const parts = textPartsOf(head)
  for (let count = 0; count < TEXT_PARTS; count++) {
    const text = await eventLoop.step(() => readNext(parts))
    if (text === null) break
    if (text !== '') body.push(text)
  }
  const { decodeWords } = await import('postal-mime')
  return { subject: decodeWords(head.fields.get('subject') ?? ''), body: body.join('\n') }
}

async function readNext(parts: Iterator<TextPart>): Promise<string | null> {
  const next = parts.next()
  if (next.done) return null
  const text = await readPart(next.value)
  return next.value.isHtml ? htmlToText(text) : text
}

/** Without a declared charset, text is UTF-8, or windows-1252 from old programs. */
async function readPart(part: TextPart): Promise<string> {
  const text = await decode(part, part.charset ?? 'utf-8')
  return part.charset === null && text.includes('\ufffd') ? decode(part, 'windows-1252') : text
}

/** Passes each part to the library alone, as plain text, because it would convert parts between HTML and text. */
async function decode(part: TextPart, charset: string): Promise<string> {
  const { default: PostalMime } = await import('postal-mime')
  const flow = `${part.isFlowed ? '; format=flowed' : ''}${part.dropsSpaces ? '; delsp=yes' : ''}`
  const type = `Content-Type: text/plain; charset="${charset}"${flow}`
  const head = Buffer.from(`${type}\r\nContent-Transfer-Encoding: ${part.encoding}\r\n\r\n`)
  const body = part.encoding === 'base64' ? withoutInnerPadding(part.body) : part.body
  const { text = '' } = await PostalMime.parse(Buffer.concat([head, body]))
  return text
}

/** Includes the next character, if any, so that the text is scanned once, however long it is. */
const PADDING = /=+([^=]?)/g

/** The library is slow on base64 with repeated padding, which some programs write at the ends of lines. */
function withoutInnerPadding(body: Buffer): Buffer {
  const text = body
    .toString('latin1')
    .replace(PADDING, (whole, next: string) => (/[+/A-Za-z0-9]/.test(next) ? next : whole))
  return Buffer.from(text, 'latin1')
}

/** The part of a message that is read; never ends within a UTF-8 character. */
function begin(raw: Uint8Array): Buffer {
  const message = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  let end = Math.min(message.length, BYTES)
  for (let count = 0; count < 3 && ((message[end] ?? 0) & 0xc0) === 0x80; count++) end -= 1
  let lines = 0
  for (let start = 0; start < end; lines++) {
    if (lines === LINES) return message.subarray(0, start)
    const lineFeed = message.indexOf('\n', start)
    start = lineFeed < 0 ? end : lineFeed + 1
  }
  return message.subarray(0, end)
}
