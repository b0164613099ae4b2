/** Extracts the text for the keyword search. Anyone can send a message: this always ends soon, and never with an error. */
import type { MailText } from '../../domain/ping/signal.ts'
import { decodePart, PIECE, readableBegin } from '../../lib/mime/decode.ts'
import { readHead } from '../../lib/mime/head.ts'
import { htmlToText } from '../../lib/mime/html-text.ts'
import { type TextPart, textPartsOf } from '../../lib/mime/parts.ts'
import { withoutEscapes, withoutEscapesInSteps } from '../../lib/text/text.ts'
import { type EventLoopYield, inSteps } from '../../lib/work/event-loop-yield.ts'

/** Most parts that are read: the cost of reading depends on bytes and parts, so each is limited. */
const TEXT_PARTS = 100

/**
 * Returns the decoded subject and text of a message (RFC 5322, MIME), as a terminal shows them: cron mails the output of its jobs. The body
 * joins plain text parts and HTML parts as text with line ends. Only the first megabyte of a long message is read, and the readable parts
 * of a broken one.
 * @param raw the whole message
 * @param eventLoop shared by all messages
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
 * Runs the first step of reading the next part, which is the only one for most parts. A step takes a millisecond or two, so that others get
 * their turn in between.
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
  // Loading takes 7 ms, and only mails in HTML need it.
  const { decodeHTML } = await import('entities/decode')
  return readHtml(part, decodeHTML)
}

function* readText(part: TextPart): Generator<void, string> {
  return yield* withoutEscapesInSteps(yield* decodePart(part), PIECE)
}

function* readHtml(part: TextPart, decodeEntities: (text: string) => string): Generator<void, string> {
  return yield* withoutEscapesInSteps(yield* htmlToText(yield* decodePart(part), decodeEntities), PIECE)
}
