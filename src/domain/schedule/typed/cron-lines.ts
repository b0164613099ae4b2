/** Recognizes input that consists of several cron expressions, and proposes a single schedule that replaces them. */
import { runs } from '../../../lib/figures/number-lists.ts'
import { type CronFields, isCron, parseCron } from '../cron.ts'
import { looksLikeField } from '../cron-field.ts'
import { type Piece, type PlacedMessage, words } from '../schedule-text.ts'
import { cronWord } from './cron-words.ts'

/** Maximum length of a schedule, in characters. */
const LIMIT = 100

/** Returns a message that says what to write instead of several cron expressions; null if the input is anything else. */
export function severalCronLines(whole: Piece): PlacedMessage | null {
  const lines = linesOf(whole.text)
  if (lines === null) return null
  const proposal = joined(lines) ?? asCalendar(lines) ?? 'combine them, as in "0 1,2 * * *", or make a check for each'
  const second = /[\n;|]|\\n/.exec(whole.text)?.index ?? 0
  return {
    message: `A check has one cron expression, but this is more than one: ${proposal}.`,
    position: whole.start + second,
    length: Math.max(1, whole.text.length - second),
  }
}

/**
 * Returns one line per expression. Returns an empty list if a form field has joined the lines, and null if there is only one expression.
 */
function linesOf(text: string): readonly string[] | null {
  const lines = text
    .split(/\\n|[\n;|]/)
    .map((line) => line.trim().replace(/\s+/g, ' '))
    .filter((line) => line !== '')
  const isExpression = (line: string) => cronWord(line) !== null || (line.split(' ').length === 5 && areFields(line))
  if (lines.length > 1 && lines.every(isExpression)) return lines.map((line) => cronWord(line) ?? line)
  // A single-line form field removes line breaks from pasted text, so the lines `* * * *` and `0 1` become `* * * *0 1`.
  return words({ text, start: 0 }).length > 8 && lines.length === 1 && areFields(text) ? [] : null
}

const areFields = (line: string) => words({ text: line, start: 0 }).every(({ text }) => looksLikeField(text))

/**
 * Combines expressions that differ in only one field into one expression with a list in that field. Returns null if the field contains a
 * star or the result is invalid or too long.
 */
function joined(lines: readonly string[]): string | null {
  const rows = lines.map((line) => line.split(' '))
  const [first] = rows
  if (first === undefined || !lines.every(isCron)) return null
  const differing = first.flatMap((_, index) => (new Set(rows.map((row) => row[index])).size > 1 ? [index] : []))
  const [field] = differing
  if (differing.length !== 1 || field === undefined) return null
  const values = [...new Set(rows.map((row) => row[field] ?? ''))]
  const text = first.with(field, values.join(',')).join(' ')
  return values.some((value) => value.includes('*')) || text.length > LIMIT || !isCron(text) ? null : `write "${text}"`
}

/** Rewrites the expressions in OnCalendar syntax, which allows several lines. */
function asCalendar(lines: readonly string[]): string | null {
  if (lines.length === 0 || !lines.every(isCron)) return null
  const calendar = lines.map((line) => calendarOf(parseCron(line)))
  const text = calendar.join('\n')
  if (calendar.includes(null) || text.length > LIMIT) return null
  return `choose OnCalendar, which may have several lines, and write ${calendar.map((line) => `"${line}"`).join(' and ')}`
}

const NAMES = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/**
 * Converts a cron expression to an OnCalendar line. Returns null if OnCalendar can't express it, because a day in OnCalendar must match
 * both the weekdays and the date.
 */
function calendarOf(cron: CronFields): string | null {
  if (!cron.bothDays || cron.lastDay || cron.lastWorkday || cron.nthWeekdays.length > 0) return null
  const weekdays = cron.weekdays.length === 7 ? '' : `${cron.weekdays.map((day) => NAMES[day]).join()} `
  const list = (values: readonly number[], all: number) =>
    values.length === all ? '*' : runs(values).join().replaceAll('-', '..')
  const time = `${list(cron.hours, 24)}:${list(cron.minutes, 60)}`.replace(/\d+/g, (digits) => digits.padStart(2, '0'))
  return `${weekdays}*-${list(cron.months, 12)}-${list(cron.days, 31)} ${time}`
}
