/** Converts the numbers in a parsed cron expression to Croner patterns. */
import type { CronFields } from './cron.ts'
import { occurs, type PatternFields, writeList, writePattern } from './readings.ts'

type DayFields = Pick<PatternFields, 'days' | 'weekdays'>

/**
 * Returns one pattern, or two if a list contains `LW`, which Croner can't parse within a list. Omits patterns that never match, because
 * Croner would search 400 years for a match each time. The result is empty if the expression only has days that never occur.
 */
export function cronPatterns(fields: CronFields): string[] {
  const time = {
    minutes: fields.minutes.length === 60 ? '*' : writeList(fields.minutes),
    hours: fields.hours.length === 24 ? '*' : writeList(fields.hours),
    months: fields.months.length === 12 ? '*' : writeList(fields.months),
  }
  return dayAlternatives(fields)
    .map((days) => ({ ...time, ...days }))
    .filter(occurs)
    .map(writePattern)
}

function dayAlternatives(fields: CronFields): DayFields[] {
  const everyDay = fields.days.length === 31
  const everyWeekday = fields.weekdays.length === 7
  const plainDays = [...(fields.lastDay ? ['L'] : []), ...(fields.days.length > 0 ? [writeList(fields.days)] : [])]
  const dayLists = [...(plainDays.length > 0 ? [plainDays.join(',')] : []), ...(fields.lastWorkday ? ['LW'] : [])]
  const weekdays = writeWeekdays(fields)
  if (fields.bothDays) {
    // Without the plus, Croner combines the day fields with "or", unless one of them is exactly `*`.
    const both = everyWeekday ? '*' : `+${weekdays}`
    return everyDay ? [{ days: '*', weekdays: both }] : dayLists.map((days) => ({ days, weekdays: both }))
  }
  // When days are combined with "or", a field that matches every day makes the other one irrelevant. Croner, however, would only apply the
  // other field.
  if (everyDay || everyWeekday) return [{ days: '*', weekdays: '*' }]
  return dayLists.map((days) => ({ days, weekdays }))
}

function writeWeekdays({ weekdays, nthWeekdays }: CronFields): string {
  // Croner has a single mask per weekday, so a weekday that is always included must not have an nth entry too.
  const nth = nthWeekdays.filter(({ weekday }) => !weekdays.includes(weekday))
  const plain = weekdays.length > 0 ? [writeList(weekdays)] : []
  return [...plain, ...nth.map(({ weekday, nth }) => (nth === 'last' ? `${weekday}L` : `${weekday}#${nth}`))].join(',')
}
