/** Extracts the text for the keyword search. Anyone can send a message: this always ends soon, and never with an error. */
import type { MailText } from '../../domain/ping/signal.ts'
import { decodePart, readableBegin } from '../../lib/mime/decode.ts'
import { readHead } from '../../lib/mime/head.ts'
import { htmlToText } from '../../lib/mime/html-text.ts'
import { type TextPart, textPartsOf } from '../../lib/mime/parts.ts'
import { withoutEscapes } from '../../lib/text/text.ts'
import type { EventLoopYield } from '../../lib/work/event-loop-yield.ts'

/** The cost of reading depends on bytes, lines and parts, so each is limited. */
const TEXT_PARTS = 100

/**
 * The decoded subject and text of a message (RFC 5322, MIME), as a terminal shows them: cron mails what its jobs print. The body joins plain text parts and HTML parts as text with
 * line ends. Only the first megabyte of a long message is read, and whatever is readable of a broken one.
 * @param raw the whole message
 * @param eventLoop shared by all messages
 */
export async function readMessageText(raw: Uint8Array, eventLoop: Pick<EventLoopYield, 'step'>): Promise<MailText> {
  const head = await eventLoop.step(async () => readHead(readableBegin(raw)))
  const body: string[] = []
  // One part per step, so that others get their turn in between.
  const parts = textPartsOf(head)
  for (let count = 0; count < TEXT_PARTS; count++) {
    const text = await eventLoop.step(() => readNext(parts))
    if (text === null) break
    if (text !== '') body.push(text)
  }
  const { decodeWords } = await import('postal-mime')
  return { subject: withoutEscapes(decodeWords(head.fields.get('subject') ?? '')), body: body.join('\n') }
}

async function readNext(parts: Iterator<TextPart>): Promise<string | null> {
  const next = parts.next()
  if (next.done) return null
  const text = await decodePart(next.value)
  return withoutEscapes(next.value.isHtml ? await htmlToText(text) : text)
}
