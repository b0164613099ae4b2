/** The sets of a cron expression as patterns for Croner. */
import type { CronFields } from './cron.ts'
import { occurs, type PatternFields, writeList, writePattern } from './readings.ts'

type DayFields = Pick<PatternFields, 'days' | 'weekdays'>

/**
 * One pattern, or two where `LW` stands in a list, which Croner does not know. A part which never occurs is left out,
 * or each later search would go through 400 years; so nothing is left of an expression whose days never meet.
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
    // Without the plus Croner joins the fields by "or" whenever neither is a bare star; it looks at nothing else.
    const both = everyWeekday ? '*' : `+${weekdays}`
    return everyDay ? [{ days: '*', weekdays: both }] : dayLists.map((days) => ({ days, weekdays: both }))
  }
  // In the "or" case a bare star in one field alone would leave the decision to the other.
  if (everyDay || everyWeekday) return [{ days: '*', weekdays: '*' }]
  return dayLists.map((days) => ({ days, weekdays }))
}

function writeWeekdays({ weekdays, nthWeekdays }: CronFields): string {
  // A weekday that runs always needs no k-th: Croner keeps one mask per weekday.
  const nth = nthWeekdays.filter(({ weekday }) => !weekdays.includes(weekday))
  const plain = weekdays.length > 0 ? [writeList(weekdays)] : []
  return [...plain, ...nth.map(({ weekday, nth }) => (nth === 'last' ? `${weekday}L` : `${weekday}#${nth}`))].join(',')
}
