/** Reads an email for display: its author, text, HTML and header. Anyone can send an email, so its content is untrusted. */

import { decodePart, readableBegin } from '../../lib/mime/decode.ts'
import { listFields, readHead } from '../../lib/mime/head.ts'
import { type TextPart, textPartsOf } from '../../lib/mime/parts.ts'
import { type EventLoopYield, inSteps } from '../../lib/work/event-loop-yield.ts'
import { plainHtml } from './plain-html.ts'

export interface OpenedMail {
  /** null if the message has no subject */
  readonly subject: string | null
  readonly from: string | null
  readonly date: string | null
  /** null if no part is plain text */
  readonly text: string | null
  /** HTML without styles, links, scripts and external resources; null if no part is HTML */
  readonly html: string | null
  /** all header fields, decoded, in their original order */
  readonly header: readonly (readonly [name: string, value: string])[]
  /** true if the text or HTML is truncated */
  readonly isCut: boolean
}

/** Hides text that the reader is not allowed to see. `known` is `start` if the text is only the beginning of a longer text. */
export type Shown = (text: string, known?: 'all' | 'start') => string

const FIELDS = { fields: 100, characters: 2_000 }
const PARTS = 20
/** Maximum length of the text, and of the HTML, in characters. */
const CHARACTERS = 100_000

/**
 * @param start the message or its beginning
 * @param size size of the complete message, in bytes
 * @param eventLoop the event loop budget that all messages share; messages are read part by part
 */
export async function readMail(
  start: Uint8Array,
  size: number,
  shown: Shown,
  eventLoop: EventLoopYield,
): Promise<OpenedMail> {
  const { decodeWords } = await import('postal-mime')
  const readable = readableBegin(start)
  const header = await eventLoop.step(async () =>
    listFields(readable, FIELDS).map(({ name, value }): readonly [string, string] => {
      const isCut = value.length >= FIELDS.characters
      return [name, shown(decodeWords(value), isCut ? 'start' : 'all')]
    }),
  )
  const field = (name: string) => header.find(([each]) => each.toLowerCase() === name)?.[1] ?? null
  const parts = await readParts(readable, eventLoop)
  // The decoder adds a line break at the end. Once it is removed, the text ends where the message was truncated.
  const [text, html] = [parts.text.join('\n').trimEnd(), parts.html.join('<hr>').trimEnd()]
  const isCut = readable.length < size || parts.isMore || text.length > CHARACTERS || html.length > CHARACTERS
  const known = isCut ? 'start' : 'all'
  return {
    subject: field('subject'),
    from: field('from'),
    date: field('date'),
    text: parts.text.length === 0 ? null : shown(text.slice(0, CHARACTERS), known),
    html: parts.html.length === 0 ? null : shown(plainHtml(html.slice(0, CHARACTERS)), known),
    header,
    isCut,
  }
}

interface Parts {
  readonly text: string[]
  readonly html: string[]
  isMore: boolean
}

/** Reads parts one by one, so that other work can run in between. */
async function readParts(message: Buffer, eventLoop: EventLoopYield): Promise<Parts> {
  const found: Parts = { text: [], html: [], isMore: false }
  const parts = textPartsOf(await eventLoop.step(async () => readHead(message)))
  for (let count = 0; ; count++) {
    const part = await eventLoop.step(async () => next(parts))
    if (part === null) return found
    if (count === PARTS) {
      found.isMore = true
      return found
    }
    const text = await inSteps(eventLoop, decodePart(part))
    if (text.trim() !== '') found[part.isHtml ? 'html' : 'text'].push(text)
  }
}

function next(parts: Iterator<TextPart>): TextPart | null {
  const { done, value } = parts.next()
  return done ? null : value
}
