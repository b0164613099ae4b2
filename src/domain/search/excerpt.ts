/** Returns an excerpt of a text around the first search hit. */
import { standsAt, type WordPattern } from './query.ts'
import { type Word, wordsOf } from './words.ts'

export interface ExcerptPart {
  readonly text: string
  readonly isHit: boolean
}

const LENGTH = 160
const BEFORE = 50

/** Returns about 160 characters on one line, with the hits marked. Returns an empty list if the text contains no hit. */
export function excerptOf(text: string, pattern: WordPattern): readonly ExcerptPart[] {
  const hits = hitsIn(text, pattern)
  const [first] = hits
  if (first === undefined) return []
  const begin = characterAt(text, beginNear(text, first.start))
  const end = characterAt(text, begin + LENGTH)
  const parts: ExcerptPart[] = []
  const add = (part: string, isHit: boolean) => {
    if (part !== '') parts.push({ text: part.replace(/\s+/g, ' '), isHit })
  }
  let from = begin
  if (begin > 0) add('…', false)
  for (const hit of hits) {
    if (hit.start >= end) break
    if (hit.end <= from) continue
    add(text.slice(from, Math.max(from, hit.start)), false)
    add(text.slice(Math.max(from, hit.start), Math.min(hit.end, end)), true)
    from = Math.min(hit.end, end)
  }
  add(text.slice(from, end), false)
  if (end < text.length) add('…', false)
  return parts
}

interface Span {
  readonly start: number
  readonly end: number
}

/** Returns the hits that fit into the same excerpt as the first hit. */
function hitsIn(text: string, pattern: WordPattern): readonly Span[] {
  const phrases = pattern.flat()
  const longest = Math.max(0, ...phrases.map(({ words }) => words.length))
  const hits: Span[] = []
  const window: Word[] = []
  const look = () => {
    const [first] = window
    const words = window.map(({ word }) => word)
    const lengths = phrases.filter((phrase) => standsAt(words, 0, phrase)).map((phrase) => phrase.words.length)
    const last = window[Math.max(0, ...lengths) - 1]
    if (first && last) hits.push({ start: first.start, end: last.end })
    window.shift()
  }
  for (const word of wordsOf(text)) {
    window.push(word)
    if (window.length === longest) look()
    if (hits[0] && word.start > hits[0].start + LENGTH) return hits
  }
  while (window.length > 0) look()
  return hits
}

/** Returns the start of a word that is shortly before the hit. */
function beginNear(text: string, start: number): number {
  if (start <= BEFORE) return 0
  const before = text.slice(start - BEFORE, start)
  const blank = before.search(/\s/)
  return start - BEFORE + (blank < 0 ? 0 : blank + 1)
}

/** Returns the index, or the previous one if the index is in the middle of a surrogate pair. */
function characterAt(text: string, index: number): number {
  const unit = text.charCodeAt(index)
  return unit >= 0xdc00 && unit < 0xe000 ? index - 1 : index
}
