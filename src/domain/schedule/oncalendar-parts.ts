/** Recognizes which part of an OnCalendar line a word is, based on its form. */
import type { Piece } from './schedule-text.ts'
import { similarTimeZone } from './similar-time-zone.ts'

/** Returns the first word that is in the wrong place or is not a valid part of a line. */
export function misplaced(all: readonly Piece[]): Piece | undefined {
  let latest = -1
  return all.find(({ text }) => {
    const part = partOf(text)
    const isWrong = part <= latest
    latest = part
    return isWrong
  })
}

/** Returns the position of a part in the required order; -1 if the word is not a part. */
function partOf(word: string): number {
  const isPart = [isWeekdays, isDate, isTime, (text: string) => similarTimeZone(text) !== null]
  return isPart.findIndex((is) => is(word))
}

export const isWeekdays = (word: string) => /^(?:mon|tue|wed|thu|fri|sat|sun)/i.test(word)
export const isDate = (word: string) => /^[0-9*].*[-~]/.test(word)
export const isTime = (word: string) => word.includes(':')
