/** Recognises by its form which part of an OnCalendar line a word is. */
import type { Piece } from './schedule-text.ts'
import { similarTimeZone } from './similar-time-zone.ts'

/** Returns the first word that is not a part of a line, or is in the wrong order. */
export function misplaced(all: readonly Piece[]): Piece | undefined {
  let latest = -1
  return all.find(({ text }) => {
    const part = partOf(text)
    const isWrong = part <= latest
    latest = part
    return isWrong
  })
}

/** Returns the part's position in the order of parts; -1 for a word that is not a part. */
function partOf(word: string): number {
  const isPart = [isWeekdays, isDate, isTime, (text: string) => similarTimeZone(text) !== null]
  return isPart.findIndex((is) => is(word))
}

export const isWeekdays = (word: string) => /^(?:mon|tue|wed|thu|fri|sat|sun)/i.test(word)
export const isDate = (word: string) => /^[0-9*].*[-~]/.test(word)
export const isTime = (word: string) => word.includes(':')
