/** The text that a ping brought, as the search reads it: to find its words, and to show those around a hit. */
import { withoutLastWord } from '../domain/redaction.ts'
import { type Word, wordsOf } from '../domain/search/words.ts'
import type { EventLoopYield } from '../lib/event-loop-yield.ts'
import type { PingBegin } from '../store/store.ts'
import { readMessageText } from './message-text.ts'

const utf8 = new TextDecoder()

/**
 * Of an email its decoded subject and text; of another body what can be read as UTF-8. '' for a binary body. The word in which a
 * long body was cut off is left out, since it may be the beginning of a secret.
 */
export async function textOf({ scheme, bodyStart, bodySize }: PingBegin, eventLoop: EventLoopYield): Promise<string> {
  if (scheme !== 'email') return plainText(bodyStart, bodySize)
  const { subject, body } = await readMessageText(bodyStart, eventLoop)
  // A secret that was cut ends the text; readers of emails add a line end, and so does this after a subject alone.
  const text = `${subject}\n${body}`.trimEnd()
  return bodySize > bodyStart.length ? withoutLastWord(text) : text
}

export function plainText(start: Uint8Array, size: number): string {
  if (start.includes(0)) return ''
  const text = utf8.decode(start)
  return size > start.length ? withoutLastWord(text) : text
}

export function wordsIn(text: string): string[] {
  return Array.from(wordsOf(text), ({ word }: Word) => word)
}
