/** Converts the numbers in a parsed OnCalendar line to Croner patterns. */
import type { CalendarLine } from './oncalendar.ts'
import { writeList, writePattern } from './readings.ts'

interface Dates {
  readonly years: readonly number[]
  readonly months: readonly number[]
  readonly days: string
}

const monthsOf31Days = [1, 3, 5, 7, 8, 10, 12]
const monthsOf30Days = [4, 6, 9, 11]
const february = [2]

/** Returns patterns that together match the same times as the line. Returns none if the line's date never occurs. */
export function calendarPatterns(line: CalendarLine): string[] {
  const time = { seconds: writeList(line.seconds), minutes: writeList(line.minutes), hours: writeList(line.hours) }
  // Without the plus, Croner would combine weekday and date with "or".
  const weekdays = line.weekdays.length === 7 ? '*' : `+${writeList(line.weekdays)}`
  return datesOf(line).map(({ years, months, days }) =>
    // The year is always included, and `*` is written as 1970-2199, so that the search ends with the last year of the grammar.
    writePattern({ ...time, weekdays, days, months: writeList(months), years: writeList(years) }),
  )
}

function datesOf({ years, months, days, fromEnd }: CalendarLine): Dates[] {
  if (!fromEnd) {
    // Leaves out dates that never occur. Otherwise, Croner would search every year for February 30.
    const longest = Math.max(...months.map(longestLength))
    return Math.min(...days) > longest ? [] : [{ years, months, days: writeList(days) }]
  }
  if (days.length === 1 && days[0] === 1) return [{ years, months, days: 'L' }]
  // Croner supports the last day of a month, but no other day counted from the end. For months of the same length, however, a day counted
  // from the end can be expressed as a day counted from the start.
  const parts = [
    { years, months: only(months, monthsOf31Days), length: 31 },
    { years, months: only(months, monthsOf30Days), length: 30 },
    { years: years.filter((year) => !isLeap(year)), months: only(months, february), length: 28 },
    { years: years.filter(isLeap), months: only(months, february), length: 29 },
  ]
  return parts
    .map(({ years, months, length }) => ({ years, months, days: writeList(forwardDays(days, length)) }))
    .filter((dates) => dates.years.length > 0 && dates.months.length > 0 && dates.days !== '')
}

function only(values: readonly number[], among: readonly number[]): number[] {
  return values.filter((value) => among.includes(value))
}

function forwardDays(fromEnd: readonly number[], length: number): number[] {
  return fromEnd
    .filter((day) => day <= length)
    .map((day) => length + 1 - day)
    .toReversed()
}

function longestLength(month: number): number {
  if (month === 2) return 29
  return monthsOf30Days.includes(month) ? 30 : 31
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}
