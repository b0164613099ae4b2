/** *Text*: a schedule that does not mean what its author thinks it means. */
import { Temporal } from '../../../lib/time.ts'
import { clockChanges } from '../../preview/clock-changes.ts'
import { parseCron } from '../../schedule/cron.ts'
import { enumerate, ordinal } from '../../schedule/describe.ts'
import { isTimeZone } from '../../schedule/time-zones.ts'
import { DAY } from '../../units.ts'
import type { Advice, AdvicePart, Fix } from '../advice.ts'
import type { Reading } from '../reading.ts'
import { slotsAfter } from '../slots-passed.ts'

const ASK: Fix = { do: 'ask', about: 'schedule' }

function advice(variant: string, says: readonly AdvicePart[], fix: Fix = ASK): Advice {
  return { kind: 'text', variant, says, fix, otherFixes: [] }
}

export function text(reading: Reading): Advice | null {
  // The zone may have been removed from the time zone data.
  if (!reading.isScheduled || !isTimeZone(reading.facts.check.tz)) return null
  return withoutRuns(reading) ?? (isFollowed(reading) ? null : misread(reading))
}

/** A gap this long in a schedule is probably a mistake: about thirteen months. */
const SELDOM = 400 * DAY

function withoutRuns({ facts: { check }, now }: Reading): Advice | null {
  const [next] = slotsAfter(check, now, 1)
  if (next === undefined) return advice('ended', ['The schedule has no further run, so the check stays up forever.'])
  return next - now > SELDOM ? advice('seldom', ['The next run is due only ', { at: next }, '.']) : null
}

const RUNS_IN_TIME = 3

/** Whether the newest runs follow the schedule. If they do, the schedule is probably right. */
function isFollowed({ verdicts }: Reading): boolean {
  const newest = verdicts.slice(-RUNS_IN_TIME)
  return newest.length === RUNS_IN_TIME && newest.every(({ isHard, missed }) => !isHard && missed === 0)
}

interface CronText {
  readonly minute: string
  readonly hour: string
  readonly day: string
  readonly month: string
  readonly weekday: string
}

function misread({ facts: { check } }: Reading): Advice | null {
  if (check.kind !== 'cron') return null
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = check.schedule.trim().split(/\s+/)
  const cron = { minute, hour, day, month, weekday }
  return everyMinute(cron) ?? step(cron) ?? missingDay(cron) ?? eitherDay(cron)
}

function everyMinute({ minute, hour, day, month, weekday }: CronText): Advice | null {
  if (minute !== '*' || /^\*(\/\d+)?$/.test(hour)) return null
  const isOne = /^\d+$/.test(hour)
  const says = `It is due 60 times in ${isOne ? 'its hour' : 'each of its hours'}: a * in the minute field means every minute.`
  return advice('every-minute', [says], {
    do: 'set',
    settings: { schedule: ['0', hour, day, month, weekday].join(' ') },
  })
}

/** Maximum number of run times to list in the sentence about an uneven step. */
const NAMED = 4

/**
 * Returns advice about an uneven step. A step starts over at the beginning of each hour or day, so the last gap is shorter unless the step
 * divides the hour or day evenly.
 */
function step(cron: CronText): Advice | null {
  const { minutes, hours } = parseCron(Object.values(cron).join(' '))
  return (
    unevenStep(cron.minute, minutes, { size: 60, each: 'minutes', name: (minute) => `:${padded(minute)}` }) ??
    unevenStep(cron.hour, hours, { size: 24, each: 'hours', name: (hour) => `${padded(hour)}:00` })
  )
}

interface Unit {
  readonly size: number
  readonly each: string
  readonly name: (value: number) => string
}

function unevenStep(field: string, values: readonly number[], { size, each, name }: Unit): Advice | null {
  const every = Number(/^\*\/(\d+)$/.exec(field)?.[1] ?? 1)
  if (size % every === 0) return null
  const named = values.length > NAMED ? [...values.slice(0, NAMED - 1), values.at(-1) ?? 0] : values
  const times = named.map(name)
  if (values.length > NAMED) times.splice(-1, 0, '…')
  return advice('step', [`${field} is due at ${enumerate(times)}, which is not every ${every} ${each}.`])
}

function padded(value: number): string {
  return String(value).padStart(2, '0')
}

const DAYS_OF_MONTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function missingDay(cron: CronText): Advice | null {
  if (!/^(29|30|31)$/.test(cron.day) || cron.weekday !== '*') return null
  const { months } = parseCron(Object.values(cron).join(' '))
  const without = months.filter((month) => (DAYS_OF_MONTHS[month - 1] ?? 0) < Number(cron.day)).length
  const isLeapDay = cron.day === '29' && months.includes(2)
  if (without === 0 && !isLeapDay) return null
  const where = isLeapDay ? 'in most Februaries' : without === 1 ? 'in one month' : `in ${without} months`
  const { minute, hour, month, weekday } = cron
  const fix: Fix =
    cron.day === '31' ? { do: 'set', settings: { schedule: [minute, hour, 'L', month, weekday].join(' ') } } : ASK
  return advice('day', [`There is no ${ordinal(Number(cron.day))} ${where}, so it is not due then.`], fix)
}

function eitherDay({ day, weekday }: CronText): Advice | null {
  if (day.startsWith('*') || weekday.startsWith('*')) return null
  return advice('either', ['It is due on the days of the month and on the weekdays: either one is enough.'])
}

/**
 * How long before a clock change the advice appears: early enough to reschedule the job, but not so early that the change seems irrelevant.
 */
const CLOCKS_AHEAD = 14 * DAY

/** Returns advice if the next clock change will move, skip or repeat a run. */
export function clocks({ facts: { check }, now }: Reading): Advice | null {
  if (!isTimeZone(check.tz)) return null
  const from = Temporal.Instant.fromEpochMilliseconds(now)
  const until = Temporal.Instant.fromEpochMilliseconds(now + CLOCKS_AHEAD)
  const [change] = clockChanges(check, from, 1, until)
  if (change === undefined || change.effect === 'untouched') return null
  const fix: Fix = { do: 'ask', about: 'clocks' }
  return { kind: 'text', variant: 'clocks', says: [change.words], fix, otherFixes: [] }
}
