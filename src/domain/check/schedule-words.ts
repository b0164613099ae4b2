/** Describes a check's timing in a few words for a list row, such as `Daily at 02:00`. */
import { LRUCache } from 'lru-cache'
import { atMost } from '../../lib/caches/at-most.ts'
import { periodInWords } from '../duration.ts'
import { type NthWeekday, parseCron } from '../schedule/cron.ts'
import {
  describeLine,
  describeTime,
  EVERY_YEAR,
  enumerate,
  type Line,
  listMonths,
  ordinal,
  weekdayNames,
} from '../schedule/describe.ts'
import { parseOnCalendar } from '../schedule/oncalendar.ts'
import { describe, scheduleKind } from '../schedule/schedule.ts'
import type { Check } from './check.ts'

type Timing = Pick<Check, 'kind' | 'timeoutSeconds' | 'schedule' | 'tz'>

interface ScheduleWords {
  /** description without the check's time zone */
  readonly words: string
  /** the expression to show instead if the description is too long; null if it is short enough */
  readonly expression: string | null
}

/** Maximum length of the description in a column. If it is longer, the column shows the expression, which is shorter. */
const WORDS_LIMIT = 44

// Many checks in a list share a schedule.
const cache = new LRUCache<string, ScheduleWords, Timing>({
  ...atMost(2_000),
  memoMethod: (_key, _previous, { context }) => wordsOf(context),
})

export function scheduleWords(timing: Timing): ScheduleWords {
  const { kind, timeoutSeconds, schedule, tz } = timing
  return cache.memo(kind === 'simple' ? `${timeoutSeconds}` : `${tz} ${schedule}`, { context: timing })
}

/** Describes a period, such as `Every 10 minutes` or `Every hour`. */
function periodWords(seconds: number): string {
  return `Every ${periodInWords(seconds).replace(/^1 (\w+)$/, '$1')}`
}

function wordsOf({ kind, timeoutSeconds, schedule, tz }: Timing): ScheduleWords {
  if (kind === 'simple') return { words: periodWords(timeoutSeconds), expression: null }
  const expression = inOneLine(schedule)
  try {
    const words = brief(schedule) ?? inFull(schedule, tz)
    return { words, expression: words.length > WORDS_LIMIT ? expression : null }
  } catch {
    // A stored schedule can become invalid when rules or time zone data change.
    return { words: expression, expression }
  }
}

/** Joins the lines of an OnCalendar schedule, which has one expression per line, such as `Mon 03:00; Tue 04:00`. */
export function inOneLine(schedule: string): string {
  return schedule.trim().split('\n').join('; ')
}

function linesOf(schedule: string): readonly Line[] {
  return scheduleKind(schedule) === 'cron' ? [parseCron(schedule)] : parseOnCalendar(schedule)
}

function inFull(schedule: string, tz: string): string {
  const [line, ...more] = linesOf(schedule)
  const isPlain = line && more.length === 0 && !(line.kind === 'oncalendar' && line.timeZone)
  return isPlain ? capital(describeLine(line)) : describe(schedule, tz)
}

/** Returns the short form of a schedule, or null if it has none. */
function brief(schedule: string): string | null {
  const [line, ...more] = linesOf(schedule)
  if (!line || more.length > 0) return null
  const days = daysOf(line)
  if (days === null) return null
  const time = describeTime(line)
  const zone = line.kind === 'oncalendar' && line.timeZone ? ` (${line.timeZone})` : ''
  const isClock = time.startsWith('at ') && time.includes(':')
  if (!isClock) return capital(days === '' ? time : `${time}, ${days}`) + zone
  const everyDay = days === '' || days.startsWith('in ') ? 'daily ' : ''
  return `${capital(everyDay + days).trim()} ${time}${zone}`
}

/**
 * Returns a phrase such as `weekdays`, `1st and 15th of January` or `in June`; empty for every day; null if the days can't be described
 * briefly.
 */
function daysOf(line: Line): string | null {
  if (line.kind === 'oncalendar' && line.years.length !== EVERY_YEAR) return null
  const isEveryMonth = line.months.length === 12
  const months = listMonths(line.months)
  const inMonths = isEveryMonth ? '' : `in ${months}`
  // A cron line matches a day if either of its day fields does, and one of them matches every day.
  if (line.kind === 'cron' && !line.bothDays && (isEveryDate(line) || line.weekdays.length === 7)) return inMonths
  const ofMonths = ` of ${isEveryMonth ? 'the month' : months}`
  const nth = nthWeekday(line)
  if (nth !== null) return `${nth}${ofMonths}`
  const [dates, weekdays] = [datesOf(line), weekdaysOf(line)]
  if (dates === null || weekdays === null || (dates !== '' && weekdays !== '')) return null
  if (dates !== '') return `${dates}${ofMonths}`
  return `${weekdays} ${inMonths}`.trim()
}

const NTH = ['first', 'second', 'third', 'fourth', 'fifth']

/** Returns a phrase such as `first Sunday` if the schedule says so directly or as "Sundays among the first seven days of the month". */
function nthWeekday(line: Line): string | null {
  const [only, ...more] = line.kind === 'cron' ? line.nthWeekdays : sevenDays(line)
  const isAlone = only !== undefined && more.length === 0
  if (!isAlone) return null
  if (line.kind === 'cron' && (line.weekdays.length > 0 || !isEveryDate(line))) return null
  const which = only.nth === 'last' ? 'last' : NTH[only.nth - 1]
  return `${which} ${weekdayName(only.weekday)}`
}

function sevenDays(line: Extract<Line, { kind: 'oncalendar' }>): readonly NthWeekday[] {
  const [first = 0] = line.days
  const [weekday] = line.weekdays
  const isWeek = line.days.length === 7 && line.days.at(-1) === first + 6 && first % 7 === 1
  if (!isWeek || weekday === undefined || line.weekdays.length !== 1) return []
  if (line.fromEnd) return first === 1 ? [{ weekday, nth: 'last' }] : []
  return [{ weekday, nth: (first + 6) / 7 }]
}

/** Returns a phrase such as `1st and 15th` or `last day`; empty for every day. */
function datesOf(line: Line): string | null {
  if (isEveryDate(line)) return ''
  if (line.kind === 'oncalendar' && line.fromEnd) return line.days.join() === '1' ? 'last day' : null
  const isLast = line.kind === 'cron' && line.lastDay
  if (line.kind === 'cron' && line.lastWorkday) return line.days.length === 0 && !isLast ? 'last workday' : null
  return enumerate([...line.days.map(ordinal), ...(isLast ? ['last day'] : [])])
}

function isEveryDate(line: Line): boolean {
  return line.days.length === 31 && !(line.kind === 'oncalendar' && line.fromEnd)
}

/** Returns a phrase such as `weekdays`, `weekends` or `Mondays and Thursdays`; empty for all seven days. */
function weekdaysOf(line: Line): string | null {
  if (line.kind === 'cron' && line.nthWeekdays.length > 0) return null
  const { weekdays } = line
  if (weekdays.length === 7) return ''
  if (weekdays.join() === '1,2,3,4,5') return 'weekdays'
  if (weekdays.join() === '0,6') return 'weekends'
  const mondayFirst = weekdays.toSorted((a, b) => ((a + 6) % 7) - ((b + 6) % 7))
  return enumerate(mondayFirst.map((weekday) => `${weekdayName(weekday)}s`))
}

/** @param weekday 0 to 6; 0 is Sunday */
function weekdayName(weekday: number): string | undefined {
  return weekdayNames[(weekday + 6) % 7]
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const WEEKDAY = /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day/
const DATE = /^(?:\d+(?:st|nd|rd|th)|first|second|third|fourth|fifth|last)/

/** Converts a phrase such as `Daily at 02:00` for use within a sentence: `daily at 02:00`. */
export function lowerCased(words: string): string {
  return WEEKDAY.test(words) ? words : words.charAt(0).toLowerCase() + words.slice(1)
}

/**
 * Converts the description from {@link scheduleWords} for use after a verb, as in "it runs": `daily at 02:00`, `on weekdays at 18:00`, `on
 * the 1st of the month at 03:00`.
 */
export function inSentence(words: string): string {
  const lower = lowerCased(words)
  if (DATE.test(lower)) return `on the ${lower}`
  return WEEKDAY.test(lower) || lower.startsWith('week') ? `on ${lower}` : lower
}
