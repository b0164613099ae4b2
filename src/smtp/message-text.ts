/**
 * A message as it came in → what keywords are searched in. A stranger wrote it: whatever it holds, this ends soon, with
 * some text, and never in an error.
 */
import type { MailText } from '../domain/signal.ts'
import type { Pace } from '../services/pace.ts'
import { htmlToText } from './html-text.ts'
import { readHead } from './message-head.ts'
import { type TextPart, textPartsOf } from './message-parts.ts'

/** Reading a message costs by the byte, by the line and by the part. */
const BYTES = 1024 * 1024
const LINES = 50_000
const TEXT_PARTS = 100

/**
 * Subject and text of a message (RFC 5322, MIME), encodings undone; the body is the plain text and the HTML as text,
 * joined by line ends. Of a very long message the begin counts, of one that is broken what can be understood.
 * @param raw the whole message
 * @param pace of all messages together
 */
export async function readMessageText(raw: Uint8Array, pace: Pace): Promise<MailText> {
  const head = await pace.step(async () => readHead(begin(raw)))
  const body: string[] = []
  // One after the other: the next part is looked for when the one before has been read and the others had their turn.
  const parts = textPartsOf(head)
  for (let count = 0; count < TEXT_PARTS; count++) {
    const text = await pace.step(() => readNext(parts))
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

/** Nothing declared is UTF-8; where it is not, old programs wrote windows-1252. */
async function readPart(part: TextPart): Promise<string> {
  const text = await decode(part, part.charset ?? 'utf-8')
  return part.charset === null && text.includes('\ufffd') ? decode(part, 'windows-1252') : text
}

/** The library is handed each part alone, as plain text: of parts of both kinds it would turn each into the other. */
async function decode(part: TextPart, charset: string): Promise<string> {
  const { default: PostalMime } = await import('postal-mime')
  const flow = `${part.isFlowed ? '; format=flowed' : ''}${part.dropsBlanks ? '; delsp=yes' : ''}`
  const type = `Content-Type: text/plain; charset="${charset}"${flow}`
  const head = Buffer.from(`${type}\r\nContent-Transfer-Encoding: ${part.encoding}\r\n\r\n`)
  const body = part.encoding === 'base64' ? withoutInnerPadding(part.body) : part.body
  const { text = '' } = await PostalMime.parse(Buffer.concat([head, body]))
  return text
}

/** With what comes behind it, which may be nothing: so it is read once, however long it is. */
const PADDING = /=+([^=]?)/g

/** The library is slow where base64 is padded again and again; programs that pad too often do so at the ends of lines. */
function withoutInnerPadding(body: Buffer): Buffer {
  const text = body
    .toString('latin1')
    .replace(PADDING, (whole, next: string) => (/[+/A-Za-z0-9]/.test(next) ? next : whole))
  return Buffer.from(text, 'latin1')
}

/** As much of a message as is read; ends at no half of a character. */
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
