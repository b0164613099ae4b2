/** Reads a ping's text for the search, which indexes its words and shows excerpts around matches. */
import { startText } from '../../domain/ping/body-text.ts'
import { withoutLastWord } from '../../domain/redaction.ts'
import { type Word, wordsOf } from '../../domain/search/words.ts'
import type { EventLoopYield } from '../../lib/work/event-loop-yield.ts'
import type { PingBegin } from '../../store/store.ts'
import { readMessageText } from './message-text.ts'

/**
 * Returns the text of a body, or the decoded subject and text of an email. Returns '' for a binary body. If a long body was truncated
 * in the middle of a word, that word is dropped, because it may be the beginning of a secret.
 */
export async function textOf(ping: PingBegin, eventLoop: EventLoopYield): Promise<string> {
  const { scheme, bodyStart, bodySize } = ping
  if (scheme !== 'email') return plainText(ping)
  const { subject, body } = await readMessageText(bodyStart, eventLoop)
  // A truncated secret is at the end of the text. The email reader adds a line break at the end, and so does this code if there is only
  // a subject.
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
