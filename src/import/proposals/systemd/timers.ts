/** Reads when a timer of systemd starts its service (systemd.timer(5)). */
import { parseOnCalendar } from '../../../domain/schedule/oncalendar.ts'
import { ScheduleError } from '../../../domain/schedule/schedule-text.ts'
import { type Problem, type ProposedTiming, problemOf, SCHEDULE_LIMIT, timingProblem } from '../proposal.ts'
import { conditionsOf } from './services.ts'
import { readSpanOfSystemd } from './span.ts'
import type { Unit } from './units.ts'

export interface ReadTimer {
  readonly timing: ProposedTiming
  /** how much later than planned it may start the service while the machine is on */
  readonly delaySeconds: number
  /** true: a run that was missed while the machine was off comes after its start */
  readonly isPersistent: boolean
  /** why its timing is so: sentences without the final stop */
  readonly why: readonly string[]
}

/** @param zone of schedules that name none: IANA name */
export function readTimer(timer: Unit, zone: string): ReadTimer | Problem {
  const calendar = timer.get('Timer.OnCalendar')
  const timing = calendar.length > 0 ? { schedule: calendar.join('\n'), tz: zone } : periodOf(timer)
  if ('reason' in timing) return timing
  const problem = calendarProblem(timing) ?? timingProblem(timing)
  if (problem !== null) return typeof problem === 'string' ? problemOf(problem) : problem
  const delays = DELAYS.map(([name, usual]) => spanOf(timer, name) ?? usual)
  return {
    timing,
    delaySeconds: Math.ceil(delays.reduce((sum, delay) => sum + delay, 0)),
    isPersistent: calendar.length > 0 && timer.isOn('Timer.Persistent'),
    why: remarksOn(timer, 'schedule' in timing),
  }
}

/** Why the lines of a schedule are no calendar expressions of systemd; null: they are, or there are too many of them. */
function calendarProblem(timing: ProposedTiming): Problem | null {
  if (!('schedule' in timing) || timing.schedule.length > SCHEDULE_LIMIT) return null
  return timing.schedule.split('\n').reduce<Problem | null>((found, text) => found ?? lineProblem(text), null)
}

/** @param text of an `OnCalendar=` */
function lineProblem(text: string): Problem | null {
  try {
    parseOnCalendar(text)
    return null
  } catch (error) {
    if (!(error instanceof ScheduleError)) throw error
    if (/\s[#;]/.test(text))
      return problemOf(`systemd ignores OnCalendar=${text}, as a comment needs a line of its own.`)
    if (!isOfCron(text)) return problemOf(`OnCalendar=${text}: ${error.message}`, CALENDAR_ADVICE)
    return problemOf(`systemd ignores OnCalendar=${text}, which is in the form of cron.`, CALENDAR_ADVICE)
  }
}

const CALENDAR_ADVICE =
  'Write it as systemd reads it, such as OnCalendar=daily or OnCalendar=*-*-* 03:00:00, try it with `systemd-analyze calendar`, and import again.'

/** A word such as `@daily`, or five to seven fields. */
function isOfCron(text: string): boolean {
  return /^@[a-z]/i.test(text) || /^(?:[\w*?,/#~-]+\s+){4,6}[\w*?,/#~-]+$/.test(text)
}

/** @param hasSchedule true: its `OnCalendar=` are the timing of the check */
function remarksOn(timer: Unit, hasSchedule: boolean): readonly string[] {
  const isPeriodic = PERIODS.some((name) => spansOf(timer, name).length > 0)
  const isStarted = FIRST_RUNS.some((name) => spansOf(timer, name).length > 0)
  const conditions = conditionsOf(timer)
  return [
    ...(hasSchedule && isPeriodic
      ? ['the runs by OnUnitActiveSec= or OnUnitInactiveSec= come on top of the schedule']
      : []),
    ...(hasSchedule || isStarted ? [] : [NEVER_STARTS]),
    ...(conditions === ''
      ? []
      : [`${conditions} may keep the timer from starting after a boot, and then nothing runs`]),
  ]
}

const NEVER_STARTS =
  'without OnBootSec= or OnActiveSec=, the timer waits after each boot until something else has started the service'

/** With their defaults, in seconds. */
const DELAYS = [
  ['AccuracySec', 60],
  ['RandomizedDelaySec', 0],
  ['RandomizedOffsetSec', 0],
] as const

/** From a start or an end of the service on. */
const PERIODS = ['OnUnitActiveSec', 'OnUnitInactiveSec']
/** From a start of the machine, systemd or the timer on. */
const FIRST_RUNS = ['OnActiveSec', 'OnBootSec', 'OnStartupSec']

/** Of several spans that all hold, the shortest is over first. */
function periodOf(timer: Unit): { readonly timeout: number } | Problem {
  const spans = PERIODS.flatMap((name) => spansOf(timer, name))
  if (spans.length > 0) return { timeout: Math.round(spans.reduce((a, b) => Math.min(a, b))) }
  if (FIRST_RUNS.some((name) => spansOf(timer, name).length > 0)) return RUNS_ONCE
  return ['OnClockChange', 'OnTimezoneChange'].some((name) => timer.isOn(`Timer.${name}`)) ? RUNS_AT_CHANGES : NO_TIME
}

const RUNS_ONCE = problemOf(
  'It starts its service once after each boot or start of the timer, so no time can be expected.',
)
const RUNS_AT_CHANGES = problemOf(
  'It starts its service when the clock or the time zone is changed, so no time can be expected.',
)
const NO_TIME = problemOf(
  'It has no time that systemd understands, so systemd refuses it.',
  'Give it an OnCalendar= or OnUnitActiveSec=, and import again.',
)

const spansOf = (timer: Unit, name: string) =>
  timer
    .get(`Timer.${name}`)
    .map(readSpanOfSystemd)
    .filter((span) => span !== null)

function spanOf(timer: Unit, name: string): number | null {
  const text = timer.last(`Timer.${name}`)
  return text === undefined ? null : readSpanOfSystemd(text)
}
