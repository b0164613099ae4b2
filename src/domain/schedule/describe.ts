/** Describes a parsed schedule in plain English. The description does not include the time of the next run. */

import { isRun, runs } from '../../lib/figures/number-lists.ts'
import type { CronFields, NthWeekday } from './cron.ts'
import type { CalendarLine } from './oncalendar.ts'

/** Number of years that `*` represents in OnCalendar: 1970-2199. */
export const EVERY_YEAR = 230

export type Line = CronFields | CalendarLine

export const monthNames = 'January February March April May June July August September October November December'.split(
  ' ',
)
export const weekdayNames = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ')
const ordinalRules = new Intl.PluralRules('en', { type: 'ordinal' })
const ordinalEndings: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd', other: 'th' }

/**
 * Returns a phrase such as `At 03:30 on Monday to Friday (Europe/Riga)`. Lines are separated by semicolons. If the lines have different
 * zones, each line includes its own.
 */
export function describeFields(lines: readonly Line[], timeZone: string): string {
  const zones = lines.map((line) => (line.kind === 'oncalendar' && line.timeZone) || timeZone)
  const oneZone = new Set(zones).size === 1
  const texts = lines.map((line, index) => describeLine(line) + (oneZone ? '' : ` (${zones[index]})`))
  const text = texts.join('; ') + (oneZone ? ` (${zones[0]})` : '')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Describes a line without its zone, such as `at 03:30 on Monday to Friday`. */
export function describeLine(line: Line): string {
  const time = describeTime(line)
  const dates = [describeDays(line), describeYears(line)].filter((text) => text !== '').join(' ')
  // "Every 5 minutes" implies every day, but "at 03:30" does not.
  return `${time} ${dates || (time.includes(':') ? 'every day' : '')}`.trimEnd()
}

interface Unit {
  readonly name: 'second' | 'minute' | 'hour'
  readonly size: number
  readonly values: readonly number[]
}

/** Returns a phrase such as `at 03:30 and 15:30`, `every 5 minutes` or `at minute 5 of every hour`. */
export function describeTime(line: Line): string {
  const { minutes, hours } = line
  const seconds = line.kind === 'cron' ? [0] : line.seconds
  const units: Unit[] = [
    { name: 'second', size: 60, values: seconds },
    { name: 'minute', size: 60, values: minutes },
    { name: 'hour', size: 24, values: hours },
  ]
  const oneAnHour = seconds.length === 1 && minutes.length === 1
  if (seconds.length * minutes.length * hours.length <= 4 || (oneAnHour && evenStep(units[2]) === null)) {
    return describeClockTimes(seconds, minutes, hours, oneAnHour)
  }
  const finest = units.findIndex(({ values }) => values.length > 1 || values[0] !== 0)
  const [fine, ...coarse] = units.slice(finest)
  while (coarse.length > 0 && isFull(coarse.at(-1))) coarse.pop()
  const larger = coarse.map((unit) => among(unit)).join(' of ')
  const rhythm = fine && every(fine)
  if (rhythm) return larger === '' ? rhythm : `${rhythm} in ${larger}`
  return `at ${among(fine)} of ${larger || (fine?.name === 'second' ? 'every minute' : 'every hour')}`
}

function describeClockTimes(
  seconds: readonly number[],
  minutes: readonly number[],
  hours: readonly number[],
  oneAnHour: boolean,
): string {
  const withSeconds = seconds.some((second) => second !== 0)
  const times = hours.flatMap((hour) =>
    minutes.flatMap((minute) =>
      seconds.map((second) => [hour, minute, ...(withSeconds ? [second] : [])].map(twoDigits).join(':')),
    ),
  )
  if (oneAnHour && times.length > 2 && isRun(hours)) return `every hour from ${times[0]} to ${times.at(-1)}`
  return `at ${enumerate(times)}`
}

function describeDays(line: Line): string {
  const everyMonth = line.months.length === 12
  const months = listMonths(line.months)
  const ofMonths = everyMonth ? 'of the month' : `of ${months}`
  const inMonths = everyMonth ? '' : `in ${months}`
  const days = line.kind === 'cron' ? cronDays(line) : calendarDays(line)
  const onDays = days.length > 0 ? `on ${enumerate(days)} ${ofMonths}` : ''
  const onWeekdays = describeWeekdays(line, ofMonths, inMonths)
  if (line.kind === 'cron' && !line.bothDays) {
    return onDays && onWeekdays ? `${onDays}, and ${onWeekdays}` : inMonths
  }
  return onDays && onWeekdays ? `${onDays}, but only ${onWeekdays}` : onDays || onWeekdays || inMonths
}

/** Describes the weekdays of a line. Returns '' if the line includes all seven weekdays. */
function describeWeekdays(line: Line, ofMonths: string, inMonths: string): string {
  if (line.weekdays.length === 7) return ''
  const plain = listWeekdays(line.weekdays)
  const nth = line.kind === 'cron' ? line.nthWeekdays.map(describeNth) : []
  // Idiomatic English uses "of" in "the last Friday of January" but "in" for "Fridays in January".
  if (nth.length === 0) return `on ${plain} ${inMonths}`.trimEnd()
  return `on ${[...(plain ? [plain] : []), `${enumerate(nth)} ${ofMonths}`].join(' and ')}`
}

/** Describes the days of a cron line. Returns an empty list if the line runs every day. */
function cronDays({ days, lastDay, lastWorkday }: CronFields): string[] {
  if (days.length === 31) return []
  const numbers = days.length > 0 ? [`${days.length > 1 ? 'days' : 'day'} ${enumerate(runs(days))}`] : []
  return [
    ...numbers,
    ...(lastDay ? ['the last day'] : []),
    ...(lastWorkday ? ['the last day from Monday to Friday'] : []),
  ]
}

function calendarDays({ days, fromEnd }: CalendarLine): string[] {
  if (days.length === 31) return []
  if (!fromEnd) return [`${days.length > 1 ? 'days' : 'day'} ${enumerate(runs(days))}`]
  if (isRun(days) && days[0] === 1) return [days.length === 1 ? 'the last day' : `the last ${days.length} days`]
  return [`the ${enumerate(days.map((day) => (day === 1 ? 'last' : `${ordinal(day)} last`)))} day`]
}

function describeYears(line: Line): string {
  return line.kind === 'cron' || line.years.length === EVERY_YEAR ? '' : `in ${enumerate(runs(line.years))}`
}

function describeNth({ weekday, nth }: NthWeekday): string {
  return `the ${nth === 'last' ? nth : ordinal(nth)} ${weekdayNames[(weekday + 6) % 7]}`
}

/** Lists weekdays. The week begins on Monday, so that a weekend is a single range. */
function listWeekdays(weekdays: readonly number[]): string {
  const mondayFirst = weekdays.map((weekday) => (weekday + 6) % 7).sort((a, b) => a - b)
  return listNames(mondayFirst, (position) => weekdayNames[position])
}

/** Returns a phrase such as `January and March to May`. */
export function listMonths(months: readonly number[]): string {
  return listNames(months, (month) => monthNames[month - 1])
}

function listNames(values: readonly number[], nameOf: (value: number) => string | undefined): string {
  return enumerate(runs(values).map((run) => run.split('-').map(Number).map(nameOf).join(' to ')))
}

/** Returns a phrase such as `every 5 minutes`; null if the values are not evenly spaced. */
function every(unit: Unit): string | null {
  const step = evenStep(unit)
  if (step === null) return null
  return step === 1 ? `every ${unit.name}` : `every ${step} ${unit.name}s`
}

/** Returns a phrase such as `every hour`, `every 2nd hour` or `hours 9-17`. */
function among(unit: Unit | undefined): string {
  if (!unit) return ''
  const step = evenStep(unit)
  if (step !== null) return step === 1 ? `every ${unit.name}` : `every ${ordinal(step)} ${unit.name}`
  return `${unit.name}${unit.values.length > 1 ? 's' : ''} ${enumerate(runs(unit.values))}`
}

/** Returns the step between the values if they start at 0 and are evenly spaced; otherwise null. */
function evenStep(unit: Unit | undefined): number | null {
  if (!unit || unit.values.length < 2) return null
  const step = unit.size / unit.values.length
  return unit.values.every((value, index) => value === index * step) ? step : null
}

function isFull(unit: Unit | undefined): boolean {
  return unit !== undefined && unit.values.length === unit.size
}

/** Joins items into a list such as `a, b and c`. */
export function enumerate(items: readonly string[]): string {
  return items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
}

/** Formats an ordinal number, such as `1st` or `22nd`. */
export function ordinal(value: number): string {
  return `${value}${ordinalEndings[ordinalRules.select(value)]}`
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
