/** The text of a ping, as the search reads it: to find its words, and to show those around a hit. */
import { startText } from '../../domain/ping/body-text.ts'
import { withoutLastWord } from '../../domain/redaction.ts'
import { type Word, wordsOf } from '../../domain/search/words.ts'
import type { EventLoopYield } from '../../lib/work/event-loop-yield.ts'
import type { PingBegin } from '../../store/store.ts'
import { readMessageText } from './message-text.ts'

/**
 * Returns the text, for an email its decoded subject and text; '' for a binary body. The word in which a long body was cut off is left out,
 * since it may be the beginning of a secret.
 */
export async function textOf(ping: PingBegin, eventLoop: EventLoopYield): Promise<string> {
  const { scheme, bodyStart, bodySize } = ping
  if (scheme !== 'email') return plainText(ping)
  const { subject, body } = await readMessageText(bodyStart, eventLoop)
  // A cut secret ends the text. Readers of emails add a line end, and so does this after a subject alone.
  const text = `${subject}\n${body}`.trimEnd()
  return bodySize > bodyStart.length ? withoutLastWord(text) : text
}

export function plainText({ bodyStart, bodySize, contentType }: PingBegin): string {
  const text = startText({ bytes: bodyStart, size: bodySize, contentType })
  if (text.includes('\0')) return ''
  return bodySize > bodyStart.length ? withoutLastWord(text) : text
}

export function wordsIn(text: string): string[] {
  return Array.from(wordsOf(text), ({ word }: Word) => word)
}
