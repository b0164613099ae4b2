/** Recognizes a complete crontab line that a user pasted into the schedule field. */
import { isCron } from '../cron.ts'
import { looksLikeField } from '../cron-field.ts'
import { words } from '../schedule-text.ts'
import { looksLikeTimeZone } from '../similar-time-zone.ts'
import { cronWord } from './cron-words.ts'

interface CrontabLine {
  /** five fields, or a word such as `@daily` */
  readonly schedule: string
  readonly command: string
}

/** Maximum length of a pasted line, in characters. */
const LONGEST = 1_000
/** Matches words that may be time zones, such as `UTC`, `+02:00` or `CEST`. */
const ZONE = /^(?:[A-Z]{3,4}|(?:UTC|GMT)?[+-]\d.*)$/

/** Splits a pasted crontab line. Returns null if the input is only a schedule, or a schedule followed by more fields or a time zone. */
export function readCrontabLine(typed: string): CrontabLine | null {
  if (typed.length > LONGEST || typed.includes('\n')) return null
  const all = words({ text: typed, start: 0 })
  const isWord = all[0]?.text.startsWith('@') === true
  const schedule = all.slice(0, isWord ? 1 : 5)
  const command = all[schedule.length]
  if (command === undefined || !isCommand(command.text)) return null
  const text = schedule.map((word) => word.text).join(' ')
  if (isWord ? cronWord(text) === null : !isCron(text)) return null
  return { schedule: text, command: typed.slice(command.start).trimEnd() }
}

function isCommand(word: string): boolean {
  return !looksLikeField(word) && !ZONE.test(word) && !looksLikeTimeZone(word)
}
