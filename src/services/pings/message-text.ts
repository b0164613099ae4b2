/**
 * Extracts an email's text for keyword search. Anyone can send an email to a check, so extraction always finishes quickly and never
 * throws.
 */
import type { MailText } from '../../domain/ping/signal.ts'
import { decodePart, PIECE, readableBegin } from '../../lib/mime/decode.ts'
import { readHead } from '../../lib/mime/head.ts'
import { htmlToText } from '../../lib/mime/html-text.ts'
import { type TextPart, textPartsOf } from '../../lib/mime/parts.ts'
import { withoutEscapes, withoutEscapesInSteps } from '../../lib/text/text.ts'
import { type EventLoopYield, inSteps } from '../../lib/work/event-loop-yield.ts'

/** Maximum number of parts to read. The cost of reading depends on the number of bytes and the number of parts, so both are limited. */
const TEXT_PARTS = 100

/**
 * Returns the decoded subject and text of an email (RFC 5322, MIME). Emails may contain job output, because cron mails it. The text
 * consists of all plain-text parts, and of HTML parts converted to text. Only the first megabyte of a long message is read. If a message is
 * malformed, as much of it as possible is read.
 * @param raw the complete message
 * @param eventLoop the event loop budget that all messages share
 */
export async function readMessageText(raw: Uint8Array, eventLoop: Pick<EventLoopYield, 'step'>): Promise<MailText> {
  const head = await eventLoop.step(async () => readHead(readableBegin(raw)))
  const body: string[] = []
  const parts = textPartsOf(head)
  for (let count = 0; count < TEXT_PARTS; count++) {
    const reading = await eventLoop.step(() => beginNext(parts))
    if (reading === null) break
    const text = reading.begun.done ? reading.begun.value : await inSteps(eventLoop, reading.reader)
    if (text !== '') body.push(text)
  }
  const { decodeWords } = await import('postal-mime')
  return { subject: withoutEscapes(decodeWords(head.fields.get('subject') ?? '')), body: body.join('\n') }
}

/**
 * Runs the first step of reading the next part. Most parts take only one step. A step takes a millisecond or two, and other work can run
 * between the steps.
 * @returns null after the last part
 */
async function beginNext(parts: Iterator<TextPart>) {
  const part = parts.next()
  if (part.done) return null
  const reader = await readerOf(part.value)
  return { reader, begun: reader.next() }
}

async function readerOf(part: TextPart): Promise<Generator<void, string>> {
  if (!part.isHtml) return readText(part)
  // Loading the decoder takes 7 ms, and only HTML emails need it.
  const { decodeHTML } = await import('entities/decode')
  return readHtml(part, decodeHTML)
}

function* readText(part: TextPart): Generator<void, string> {
  return yield* withoutEscapesInSteps(yield* decodePart(part), PIECE)
}

function* readHtml(part: TextPart, decodeEntities: (text: string) => string): Generator<void, string> {
  return yield* withoutEscapesInSteps(yield* htmlToText(yield* decodePart(part), decodeEntities), PIECE)
}
