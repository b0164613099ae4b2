/** The text that a ping brought, as the search reads it: to find its words, and to show those around a hit. */
import { type Word, wordsOf } from '../domain/search/words.ts'
import type { EventLoopYield } from '../lib/event-loop-yield.ts'
import type { PingBegin } from '../store/store.ts'
import { readMessageText } from './message-text.ts'

const utf8 = new TextDecoder()
/** In a longer word nobody looks for its end. */
const LAST_WORD_LENGTH = 100

/**
 * Of an email its decoded subject and text; of another body what can be read as UTF-8. '' for a binary body. The word in which a
 * long body was cut off is left out, since it may be the beginning of a secret.
 */
export async function textOf({ scheme, bodyStart, bodySize }: PingBegin, eventLoop: EventLoopYield): Promise<string> {
  if (scheme !== 'email') return plainText(bodyStart, bodySize)
  const { subject, body } = await readMessageText(bodyStart, eventLoop)
  return withoutCutWord(`${subject}\n${body}`, bodySize > bodyStart.length)
}

export function plainText(start: Uint8Array, size: number): string {
  if (start.includes(0)) return ''
  return withoutCutWord(utf8.decode(start), size > start.length)
}

function withoutCutWord(text: string, isCut: boolean): string {
  if (!isCut) return text
  return text.slice(0, -LAST_WORD_LENGTH) + text.slice(-LAST_WORD_LENGTH).replace(/\S+$/, '')
}

export function wordsIn(text: string): string[] {
  return Array.from(wordsOf(text), ({ word }: Word) => word)
}
