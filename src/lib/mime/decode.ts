/** Decodes the text parts of a message, with `postal-mime`, which is loaded when the first one comes. */
import type { TextPart } from './parts.ts'

/** Without a declared charset, text is UTF-8, or windows-1252 from old programs. */
export async function decodePart(part: TextPart): Promise<string> {
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

/** The cost of reading depends on bytes and lines. */
const BYTES = 1024 * 1024
const LINES = 50_000

/** The part of a message that is read; never ends within a UTF-8 character. */
export function readableBegin(raw: Uint8Array): Buffer {
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
