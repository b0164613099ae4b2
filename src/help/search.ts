/** Full-text search in the documents. There are few documents, so each search scans all of them. */
import type { EventLoopBudget } from '../lib/work/event-loop-budget.ts'
import { HELP, type HelpDocument } from './documents.ts'
import { type Section, sectionsOf } from './sections.ts'

/** Part of an excerpt, and whether it matches a search term. */
export interface ExcerptPart {
  readonly text: string
  readonly isHit: boolean
}

export interface HelpHit {
  readonly document: Pick<HelpDocument, 'name' | 'title'>
  readonly section: Pick<Section, 'anchor' | 'title'>
  /** text around the best match in the section */
  readonly excerpt: readonly ExcerptPart[]
}

export const HELP_QUERY_LIMIT = 200
const WORDS_MOST = 10
const HITS_MOST = 20
const EXCERPT_BEFORE = 60
/**
 * Maximum distance between a hit and the start of its sentence, in characters. If the sentence starts earlier, the excerpt starts
 * mid-sentence.
 */
const SENTENCE_BEFORE = 120
const EXCERPT_LENGTH = 240

/** A section, prepared for searching. */
interface Entry {
  readonly document: Pick<HelpDocument, 'name' | 'title'>
  readonly section: Section
  /** weight of the group that contains the document */
  readonly weight: number
  readonly title: string
  readonly documentTitle: string
  readonly text: string
}

let entries: Promise<readonly Entry[]> | null = null

/** Reads the sections of all documents. Reading them all would block the event loop for too long, so the function yields in between. */
async function readEntries(budget: EventLoopBudget): Promise<readonly Entry[]> {
  const read: Entry[] = []
  for (const { documents, weight } of HELP) {
    for (const document of documents) {
      await budget.available()
      for (const section of sectionsOf(document.text)) {
        const [title, text] = [section.title.toLowerCase(), section.text.toLowerCase()]
        read.push({ document, section, weight, title, documentTitle: document.title.toLowerCase(), text })
      }
    }
  }
  return read
}

/**
 * Returns the sections that match every search word. A word matches if the section contains a word that starts with it. Sections with
 * matches in their headings rank highest.
 */
export async function searchHelp(query: string, budget: EventLoopBudget): Promise<readonly HelpHit[]> {
  const words = wordsOf(query)
  if (words.length === 0) return []
  entries ??= readEntries(budget)
  const found: { readonly entry: Entry; readonly score: number }[] = []
  for (const entry of await entries) {
    // Without this call, searches that arrive at the same time would all run in a single turn of the event loop.
    await budget.available()
    const score = scoreOf(entry, words)
    if (score > 0) found.push({ entry, score })
  }
  return found
    .toSorted((a, b) => b.score - a.score)
    .slice(0, HITS_MOST)
    .map(({ entry: { document, section } }) => ({ document, section, excerpt: excerptOf(section.text, words) }))
}

/** Splits a query into lowercase words. Drops words beyond the limits. */
export function wordsOf(query: string): readonly string[] {
  const words =
    query
      .slice(0, HELP_QUERY_LIMIT)
      .toLowerCase()
      .match(/[\p{L}\p{N}_]+/gu) ?? []
  return [...new Set(words)].slice(0, WORDS_MOST)
}

/** @returns 0 if one of the words is missing from the section */
function scoreOf({ title, documentTitle, text, weight }: Entry, words: readonly string[]): number {
  let score = 0
  for (const word of words) {
    const ofWord = 12 * count(title, word, 1) + 4 * count(documentTitle, word, 1) + count(text, word, 5)
    if (ofWord === 0) return 0
    score += weight * ofWord
  }
  return score
}

/** Counts the words in the text that start with `word`, and stops at `most`. */
function count(text: string, word: string, most: number): number {
  let found = 0
  let at = indexOfWord(text, word, 0)
  while (at >= 0 && found < most) {
    found++
    at = indexOfWord(text, word, at + word.length)
  }
  return found
}

const LETTER = /[\p{L}\p{N}]/u

function indexOfWord(text: string, word: string, from: number): number {
  let at = text.indexOf(word, from)
  while (at > 0 && LETTER.test(text[at - 1] ?? '')) at = text.indexOf(word, at + 1)
  return at
}

function excerptOf(text: string, words: readonly string[]): readonly ExcerptPart[] {
  const lower = text.toLowerCase()
  // Converting text to lowercase may change its length, which would shift the positions of the hits.
  const searched = lower.length === text.length ? lower : text
  const first = bestPlace(searched, words)
  const begin = first === null ? 0 : beginOfSentence(text, first)
  const end = Math.min(text.length, begin + EXCERPT_LENGTH)
  const parts: ExcerptPart[] = begin > 0 ? [{ text: '… ', isHit: false }] : []
  let at = begin
  while (at < end) {
    const next = nextHit(searched, words, at)
    if (next === null || next.at >= end) break
    parts.push({ text: text.slice(at, next.at), isHit: false }, { text: text.slice(next.at, next.until), isHit: true })
    at = next.until
  }
  parts.push({ text: text.slice(at, Math.max(at, end)), isHit: false })
  if (end < text.length) parts.push({ text: ' …', isHit: false })
  return parts.filter((part) => part.text !== '')
}

/**
 * Returns the position around which an excerpt would contain the most search words. If several positions tie, returns the first. Returns
 * null if the text contains none of the words.
 */
function bestPlace(text: string, words: readonly string[]): number | null {
  const hits = words.flatMap((word) => placesOf(text, word).map((at) => ({ at, word }))).toSorted((a, b) => a.at - b.at)
  let best: { readonly at: number; readonly found: number } | null = null
  for (const [index, { at }] of hits.entries()) {
    const near = new Set<string>()
    for (
      let other = index;
      other < hits.length && (hits[other]?.at ?? 0) < at + EXCERPT_LENGTH - EXCERPT_BEFORE;
      other++
    ) {
      near.add(hits[other]?.word ?? '')
    }
    // Long words are more specific than short ones, so they count for more.
    const found = [...near].reduce((sum, word) => sum + word.length, 0)
    if (best === null || found > best.found) best = { at, found }
  }
  return best?.at ?? null
}

/** Maximum number of positions to compare for each word. */
const PLACES_MOST = 50

function placesOf(text: string, word: string): readonly number[] {
  const places: number[] = []
  let at = indexOfWord(text, word, 0)
  while (at >= 0 && places.length < PLACES_MOST) {
    places.push(at)
    at = indexOfWord(text, word, at + word.length)
  }
  return places
}

/** Returns the start of the sentence that contains `place`. If the sentence starts too far away, returns the start of a closer word. */
function beginOfSentence(text: string, place: number): number {
  const from = Math.max(0, place - SENTENCE_BEFORE)
  const end = text.slice(from, place).search(/[.:;!?] (?!.*[.:;!?] )/s)
  if (end >= 0) return from + end + 2
  return from === 0 ? 0 : beginOfWord(text, place - EXCERPT_BEFORE)
}

function beginOfWord(text: string, from: number): number {
  if (from === 0) return 0
  const blank = text.indexOf(' ', from)
  return blank < 0 ? from : blank + 1
}

function nextHit(
  text: string,
  words: readonly string[],
  from: number,
): { readonly at: number; readonly until: number } | null {
  const hits = words
    .map((word) => ({ at: indexOfWord(text, word, from), length: word.length }))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => a.at - b.at || b.length - a.length)
  const [hit] = hits
  return hit ? { at: hit.at, until: hit.at + hit.length } : null
}
