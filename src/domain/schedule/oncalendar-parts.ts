/** Which part of a line of OnCalendar a word is, by its form. */
import type { Piece } from './schedule-text.ts'
import { similarTimeZone } from './similar-time-zone.ts'

/** The first word that is no part of a line, or that does not follow an earlier part. */
export function misplaced(all: readonly Piece[]): Piece | undefined {
  let latest = -1
  return all.find(({ text }) => {
    const part = partOf(text)
    const isWrong = part <= latest
    latest = part
    return isWrong
  })
}

/** Its place in the order of the parts; -1 for a word that is none of them. */
function partOf(word: string): number {
  const isPart = [isWeekdays, isDate, isTime, (text: string) => similarTimeZone(text) !== null]
  return isPart.findIndex((is) => is(word))
}

export const isWeekdays = (word: string) => /^(?:mon|tue|wed|thu|fri|sat|sun)/i.test(word)
export const isDate = (word: string) => /^[0-9*].*[-~]/.test(word)
export const isTime = (word: string) => word.includes(':')
