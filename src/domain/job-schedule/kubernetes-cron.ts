/**
 * Cron expressions for Kubernetes, which uses the Go library robfig/cron. Its day fields work differently from those of checks: a step
 * greater than 1 restricts the days the way a list does, and Sunday can only be written as 0.
 */
import { runs } from '../../lib/figures/number-lists.ts'
import type { Instant } from '../../lib/time.ts'
import type { Check } from '../check/check.ts'
import { clockChanges } from '../preview/clock-changes.ts'
import { parseCron } from '../schedule/cron.ts'
import { crontabFields } from './crontab-cron.ts'

/**
 * Converts a Kubernetes expression to a check's expression. If that is impossible, returns a sentence that says why. Syntax that both have
 * in common is not validated here, because it is validated later as part of the check's expression.
 * @param written five fields
 */
export function readKubernetesCron(
  written: readonly string[],
): { readonly schedule: string } | { readonly problem: string } {
  const [minute = '', hour = '', date = '', month = '', weekday = ''] = written.map(plainField)
  const problem = fieldProblem(written, date, weekday)
  if (problem !== null) return { problem }
  const days = daysOfEither(date, untilSaturday(weekday))
  return { schedule: [minute, hour, days.date, month, days.weekday].join(' ') }
}

/** Simplifies a field: `?` becomes `*`, empty items are removed, and so is a step that has no effect, as in `5-5/2`. */
function plainField(field: string): string {
  const items = field.replaceAll('?', '*').split(',')
  const kept = items.filter((item) => item !== '').map((item) => item.replace(/^(\w+)-\1\/\d+$/i, '$1'))
  return kept.length > 0 ? kept.join(',') : field
}

/** Returns the problem with syntax that checks or cron daemons support but Kubernetes doesn't. */
function fieldProblem(written: readonly string[], date: string, weekday: string): string | null {
  if (written.some((field) => field.includes('~'))) return 'Kubernetes rejects "~" in a schedule.'
  if (/[LW]/i.test(date) || /[L#]/i.test(weekday)) return 'Kubernetes rejects L, W and # in a schedule.'
  return /(?:^|[,-])0*7/.test(weekday) ? 'Kubernetes rejects the weekday 7: Sunday is 0.' : null
}

/** Changes `1/2` to `1-6/2`, because checks would extend the range to the following Sunday. */
function untilSaturday(weekday: string): string {
  return weekday.replace(/(?<=^|,)(\w+)(\/\d+)/g, (_, first: string, step: string) =>
    /^(?:0*6|SAT)$/i.test(first) ? first : `${first}-6${step}`,
  )
}

interface Days {
  readonly date: string
  readonly weekday: string
}

// If one field is a star, only the other applies. Otherwise, a day must match at least one of the fields, and `*/2` restricts days like
// `1-31/2`.
function daysOfEither(date: string, weekday: string): Days {
  const isEvery = (field: string) => field.split(',').some((item) => /^\*(?:\/0*1)?$/.test(item))
  if (isEvery(date)) return { date: '*', weekday: isEvery(weekday) ? '*' : weekday }
  if (isEvery(weekday)) return { date, weekday: '*' }
  return { date: date.replaceAll('*', '1-31'), weekday: weekday.replaceAll('*', '0-6') }
}

/**
 * Returns the five fields of a Kubernetes expression that runs at the same times as a check's expression. Null if Kubernetes can't express
 * them, for example `L`, or every second day that is also a Monday.
 * @throws ScheduleError
 */
export function kubernetesFields(text: string): readonly string[] | null {
  const cron = parseCron(text)
  const fields = crontabFields(text)
  if (fields === null) return null
  const [minute = '', hour = '', date = '', month = '', weekday = ''] = fields
  const [isEveryDate, isEveryWeekday] = [cron.days.length === 31, cron.weekdays.length === 7]
  if (cron.bothDays && !isEveryDate && !isEveryWeekday) return null
  const isDaily = !cron.bothDays && (isEveryDate || isEveryWeekday)
  const dates = isDaily || isEveryDate ? '*' : date
  const weekdays = isDaily || isEveryWeekday ? '*' : /[7/]/.test(weekday) ? runs(cron.weekdays).join(',') : weekday
  return [minute, hour, dates, month, weekdays]
}

/**
 * Returns the next day, such as `2027-03-28`, on which clocks skip the time of a run. Cron daemons and checks move such a run to the end of
 * the skipped hour, but Kubernetes omits it. Null if there is no such day.
 */
export function dayWithoutRun(timing: Pick<Check, 'kind' | 'schedule' | 'tz'>, now: Instant): string | null {
  const moved = clockChanges(timing, now).find(({ effect }) => effect === 'moved')
  return moved === undefined ? null : moved.at.toZonedDateTimeISO(timing.tz).toPlainDate().toString()
}
