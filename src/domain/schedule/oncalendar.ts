/**
 * Parses calendar expressions (systemd.time(7), section "Calendar Events"), one per line, into sets of numbers. Follows the dialect of the
 * `oncalendar` library. `oncalendar-patterns.ts` converts the sets to Croner patterns.
 */
import { ordered, stepped } from '../../lib/figures/number-lists.ts'
import { suggest } from '../../lib/text/suggest.ts'
import { isDate, isTime, isWeekdays, misplaced } from './oncalendar-parts.ts'
import { digits, type Piece, refuse, split, stepOf, trim, words } from './schedule-text.ts'
import { looksLikeTimeZone, meantTimeZone, similarTimeZone } from './similar-time-zone.ts'

/** The numbers that a line selects, sorted and without duplicates. */
export interface CalendarLine {
  readonly kind: 'oncalendar'
  /** Weekdays, 0 to 6; 0 is Sunday. Contains all seven if the line doesn't list any. */
  readonly weekdays: readonly number[]
  /** Years, 1970 to 2199. */
  readonly years: readonly number[]
  readonly months: readonly number[]
  /** Days of the month, 1 to 31. If `fromEnd` is set, they are counted from the end of the month, and 1 is the last day. */
  readonly days: readonly number[]
  readonly fromEnd: boolean
  readonly hours: readonly number[]
  readonly minutes: readonly number[]
  readonly seconds: readonly number[]
  /** Time zone in the line, as typed by the user. */
  readonly timeZone: string | null
}

interface Component {
  readonly name: string
  readonly min: number
  readonly max: number
  readonly allowed: string
}

const components = {
  year: { name: 'year', min: 1970, max: 2199, allowed: '1970-2199, or two digits for 1970-2069' },
  month: { name: 'month', min: 1, max: 12, allowed: '1-12' },
  day: { name: 'day', min: 1, max: 31, allowed: '1-31' },
  hour: { name: 'hour', min: 0, max: 23, allowed: '0-23' },
  minute: { name: 'minute', min: 0, max: 59, allowed: '0-59' },
  second: { name: 'second', min: 0, max: 59, allowed: '0-59' },
} as const satisfies Record<string, Component>

/** Weekdays in systemd's order, starting on Monday: `Sat..Sun` is a range, but `Sun..Mon` is not. */
const weekdayNames = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

const shorthands: ReadonlyMap<string, string> = new Map([
  ['minutely', '*-*-* *:*:00'],
  ['hourly', '*-*-* *:00:00'],
  ['daily', '*-*-* 00:00:00'],
  ['weekly', 'Mon *-*-* 00:00:00'],
  ['monthly', '*-*-01 00:00:00'],
  ['quarterly', '*-01,04,07,10-01 00:00:00'],
  ['semiannually', '*-01,07-01 00:00:00'],
  ['yearly', '*-01-01 00:00:00'],
  ['annually', '*-01-01 00:00:00'],
])

type DateFields = Pick<CalendarLine, 'years' | 'months' | 'days' | 'fromEnd'>
type TimeFields = Pick<CalendarLine, 'hours' | 'minutes' | 'seconds'>

const everyYear = every(components.year)
const everyMonth = every(components.month)
const everyDay: DateFields = { years: everyYear, months: everyMonth, days: every(components.day), fromEnd: false }
const midnight: TimeFields = { hours: [0], minutes: [0], seconds: [0] }
const everyWeekday = [0, 1, 2, 3, 4, 5, 6]

/**
 * Parses a schedule line by line.
 * @throws ScheduleError for the first invalid part. Lines that never run are not detected
 */
export function parseOnCalendar(text: string): CalendarLine[] {
  const whole = trim({ text, start: 0 })
  if (whole.text === '') refuse(whole, 'The schedule is empty; write cron (0 3 * * *) or OnCalendar (Mon..Fri 03:00).')
  return split(whole, '\n').map(parseLine)
}

function parseLine(line: Piece): CalendarLine {
  const rest = words(line)
  if (rest.length === 0) refuse(line, 'The line is empty; write weekdays, a date or a time, as in "Mon..Fri 08:30".')
  const timeZone = takeTimeZone(rest)
  const shorthand = rest.length === 1 ? shorthands.get(rest[0]?.text.toLowerCase() ?? '') : undefined
  const parts = shorthand ? words({ text: shorthand, start: line.start }) : rest
  const time = takeLast(parts, isTime)
  const date = takeLast(parts, isDate)
  const weekdays = parts.shift()
  const surplus = parts.shift()
  if (surplus) refuseSurplus(line, surplus)
  return {
    kind: 'oncalendar',
    weekdays: weekdays ? parseWeekdays(weekdays) : everyWeekday,
    ...(date ? parseDate(date) : everyDay),
    ...(time ? parseTime(time) : midnight),
    timeZone,
  }
}

/** Expands a shorthand at the beginning of a line: `daily` becomes `*-*-* 00:00:00`. */
export function longForm(line: string): string {
  const [word = '', ...zone] = line.trim().split(/\s+/)
  return [shorthands.get(word.toLowerCase()) ?? word, ...zone].join(' ')
}

function refuseSurplus(line: Piece, surplus: Piece): never {
  const looksLikeCron = /^[0-9*,/-]+(\s+[0-9a-z*,/#-]+)+$/i.test(line.text)
  const cron = 'A cron expression has exactly five words: minute, hour, day of month, month, day of week.'
  if (looksLikeCron) refuse(line, `${cron} This has ${words(line).length}.`)
  const order = 'weekdays, date, time, time zone (spelled exactly, as in Europe/Riga)'
  const wrong = misplaced(words(line)) ?? surplus
  refuse(wrong, `"${wrong.text}" is not allowed here; a line has ${order}, in this order and each at most once.`)
}

function takeLast(parts: Piece[], accepts: (word: string) => boolean): Piece | undefined {
  return accepts(parts.at(-1)?.text ?? '') ? parts.pop() : undefined
}

function takeTimeZone(rest: Piece[]): string | null {
  const [before, last] = rest.slice(-2)
  if (before === undefined || last === undefined) return null
  const zone = similarTimeZone(last.text)
  if (zone === null && !isMeantAsZone(last.text, before.text)) return null
  if (zone === null) refuse(last, unknownZone(last.text))
  if (zone !== last.text) refuse(last, `The time zone "${last.text}" is spelled "${zone}".`)
  rest.pop()
  return zone
}

/** Whether a word is probably meant to be a time zone: only a zone has a slash after letters, and only a zone can follow a time. */
function isMeantAsZone(word: string, before: string): boolean {
  if (looksLikeTimeZone(word) || /^[a-z_]+\/[a-z]/i.test(word)) return true
  const isOther = isWeekdays(word) || shorthands.has(word.toLowerCase()) || /^[ap]m$/i.test(word)
  return isTime(before) && /^(?:[a-z]|[+-]\d)/i.test(word) && !isOther
}

function unknownZone(word: string): string {
  const meant = meantTimeZone(word)
  return `There is no time zone "${word}"; write ${meant ?? 'a name such as Europe/Riga'}.`
}

function parseWeekdays(piece: Piece): number[] {
  // A trailing comma is accepted, as in systemd.
  const list = piece.text.length > 1 && piece.text.endsWith(',') ? { ...piece, text: piece.text.slice(0, -1) } : piece
  const positions = split(list, ',').flatMap((item) => {
    const [from, to, surplus] = split(item, item.text.includes('..') ? '..' : '-')
    if (surplus) refuse(item, `"${item.text}" is not a range of weekdays; a range has two ends, as in Mon..Fri.`)
    const low = parseWeekday(from)
    const high = to ? parseWeekday(to) : low
    if (low > high) refuse(item, `The range "${item.text}" runs backwards; the week ends with Sunday.`)
    return stepped(low, high)
  })
  return ordered(positions.map((position) => (position + 1) % 7))
}

function parseWeekday(piece: Piece): number {
  const word = piece.text.toLowerCase()
  const position = weekdayNames.findIndex((name) => word === name || word === name.slice(0, 3))
  if (position >= 0) return position
  const meant = word === 'midnight' ? 'daily' : suggest(word, [...shorthands.keys(), ...weekdayNames])
  const example = 'write weekdays (Mon, Monday), a date (2026-01-31, *-*-01), a time (08:30) or a word such as daily'
  refuse(piece, `"${piece.text}" is not valid; ${example}.${meant === null ? '' : ` Did you mean ${meant}?`}`)
}

function parseDate(piece: Piece): DateFields {
  const [front, backward, secondTilde] = split(piece, '~')
  if (secondTilde) refuse(piece, `The date "${piece.text}" has two tildes; only one is allowed, before the day.`)
  const forward = split(front, '-')
  const parts = backward ? [...forward, backward] : forward
  const [day, month, year, surplus] = parts.toReversed()
  if (!day || !month || surplus) {
    refuse(piece, `"${piece.text}" is not a date; write year-month-day, month-day, or ~ before a day from the end.`)
  }
  return {
    years: year ? parseComponent(components.year, year, readYear) : everyYear,
    months: parseComponent(components.month, month),
    days: backward ? parseBackwardDays(backward) : parseComponent(components.day, day),
    fromEnd: backward !== undefined,
  }
}

function parseTime(piece: Piece): TimeFields {
  const [hour, minute, second, surplus] = split(piece, ':')
  if (!minute || surplus) refuse(piece, `"${piece.text}" is not a time; write hour:minute or hour:minute:second.`)
  return {
    hours: parseComponent(components.hour, hour),
    minutes: parseComponent(components.minute, minute),
    seconds: second ? parseComponent(components.second, second) : midnight.seconds,
  }
}

function parseComponent(component: Component, piece: Piece, read = digits): number[] {
  if (piece.text === '*') return every(component)
  const values = split(piece, ',').flatMap((item) => {
    const { low, high, step } = parseRange(component, item, read)
    // A single value with a step is treated as an open-ended range, and so is `a..a`. The `oncalendar` library does the same, but systemd
    // matches only `a`.
    return stepped(low, step && low === high ? component.max : high, step)
  })
  return ordered(values)
}

/**
 * Parses days counted from the end of the month. A step goes towards the end of the month: `7/2` means the seventh, fifth and third to last
 * day, and the last day.
 */
function parseBackwardDays(piece: Piece): number[] {
  if (piece.text === '*') return every(components.day)
  const values = split(piece, ',').flatMap((item) => {
    const { low, high, step, isRange } = parseRange(components.day, item, digits)
    if (!isRange && low > 28) refuse(item, `"${item.text}" is not a day from the end of the month; allowed: 1-28.`)
    const end = step && low === high ? 1 : low
    return stepped(0, high - end, step).map((distance) => high - distance)
  })
  return ordered(values)
}

function parseRange(component: Component, item: Piece, read: (text: string) => number | null) {
  const [base, stepPiece, secondStep] = split(item, '/')
  if (secondStep) refuse(secondStep, `The ${component.name} "${item.text}" has two steps; one is allowed.`)
  const [from, to, surplus] = split(base, '..')
  if (surplus) refuse(item, `The ${component.name} "${base.text}" is not a range; a range has two ends, as in 1..5.`)
  const low = parseValue(component, from, read)
  const high = to ? parseValue(component, to, read) : low
  if (low > high) refuse(item, `The range "${base.text}" runs backwards; write the smaller ${component.name} first.`)
  return { low, high, step: stepPiece && stepOf(stepPiece), isRange: to !== undefined }
}

function parseValue(component: Component, piece: Piece, read: (text: string) => number | null): number {
  const value = read(piece.text)
  if (value !== null && value >= component.min && value <= component.max) return value
  if (piece.text === '*') refuse(piece, `A star must be the whole ${component.name}; write 0/5 for every fifth.`)
  const problem =
    piece.text === '' ? `The ${component.name} is empty here` : `"${piece.text}" is not valid for the ${component.name}`
  refuse(piece, `${problem}; allowed: ${component.allowed}.`)
}

/** Parses a year. Two-digit years from 70 to 99 mean 1970 to 1999, and those from 0 to 69 mean 2000 to 2069. */
function readYear(text: string): number | null {
  const year = digits(text)
  if (year === null || year >= 100) return year
  return year < 70 ? 2000 + year : 1900 + year
}

function every(component: Component): number[] {
  return stepped(component.min, component.max)
}
