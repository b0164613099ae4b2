/** Determines when a systemd timer starts its service (systemd.timer(5)). */

import { parseOnCalendar } from '../../../domain/schedule/oncalendar.ts'
import { ScheduleError } from '../../../domain/schedule/schedule-text.ts'
import { within } from '../../../lib/text/text.ts'
import { type Problem, type ProposedTiming, problemOf, SCHEDULE_LIMIT, timingProblem } from '../proposal.ts'
import { readSpanOfSystemd } from '../span.ts'
import { conditionsOf } from './services.ts'
import type { Unit } from './units.ts'

export interface ReadTimer {
  readonly timing: ProposedTiming
  /** maximum delay, in seconds, with which the timer starts the service while the machine is on */
  readonly delaySeconds: number
  /** true if the timer makes up for missed runs when the machine starts */
  readonly isPersistent: boolean
  /** reasons for the timing, as sentences without the final full stop */
  readonly why: readonly string[]
  /** settings that are ignored */
  readonly ignored: readonly Problem[]
}

/** @param zone IANA name of the time zone for schedules without a zone */
export function readTimer(timer: Unit, zone: string): ReadTimer | Problem {
  const { lines, wrong } = calendarOf(timer)
  const timing = lines.length > 0 ? { schedule: lines.join('\n'), tz: zone } : periodOf(timer)
  if ('reason' in timing) return wrong[0] ?? timing
  const problem = timingProblem(timing)
  if (problem !== null) return problemOf(problem)
  const delays = DELAYS.map(([name, usual]) => spansOf(timer, name).at(-1) ?? usual)
  return {
    timing,
    delaySeconds: Math.ceil(delays.reduce((sum, delay) => sum + delay, 0)),
    isPersistent: lines.length > 0 && timer.isOn('Timer.Persistent'),
    why: remarksOn(timer, 'schedule' in timing),
    ignored: [...wrong.map(withoutTheLine), ...wrongSpans(timer)],
  }
}

/** Returns the values of `OnCalendar=`, and the problems with values that systemd ignores because they are not calendar expressions. */
function calendarOf(timer: Unit): { readonly lines: readonly string[]; readonly wrong: readonly Problem[] } {
  const lines: string[] = []
  const wrong: Problem[] = []
  for (const text of new Set(timer.get('Timer.OnCalendar'))) {
    // A line that is too long is not checked here, because the complete schedule is rejected later.
    const problem = text.length > SCHEDULE_LIMIT ? null : lineProblem(text)
    if (problem === null) lines.push(text)
    else wrong.push(problem)
  }
  return { lines, wrong }
}

const withoutTheLine = ({ reason, advice }: Problem) =>
  problemOf(`${reason} The check has the other times of the timer.`, advice)

/** @param text one value of `OnCalendar=` */
function lineProblem(text: string): Problem | null {
  try {
    parseOnCalendar(text)
    return null
  } catch (error) {
    if (!(error instanceof ScheduleError)) throw error
    if (/\s[#;]/.test(text))
      return problemOf(`systemd ignores OnCalendar=${text}, as a comment needs a line of its own.`, COMMENT_ADVICE)
    if (!isOfCron(text)) return problemOf(`OnCalendar=${text}: ${error.message}`, CALENDAR_ADVICE)
    return problemOf(`systemd ignores OnCalendar=${text}, which is in the form of cron.`, CALENDAR_ADVICE)
  }
}

const COMMENT_ADVICE = 'Put the comment above it, and import again.'
const CALENDAR_ADVICE =
  'Write it as systemd reads it, such as OnCalendar=daily or OnCalendar=*-*-* 03:00:00, try it with `systemd-analyze calendar`, and import again.'

/** Recognizes a word such as `@daily`, or five to seven fields. */
function isOfCron(text: string): boolean {
  return /^@[a-z]/i.test(text) || /^(?:[\w*?,/#~-]+\s+){4,6}[\w*?,/#~-]+$/.test(text)
}

/** @param hasSchedule true if the `OnCalendar=` values determine the timing of the check */
function remarksOn(timer: Unit, hasSchedule: boolean): readonly string[] {
  const isPeriodic = PERIODS.some((name) => spansOf(timer, name).length > 0)
  const isStarted = FIRST_RUNS.some((name) => spansOf(timer, name).length > 0)
  const conditions = conditionsOf(timer)
  return [
    ...(hasSchedule && isPeriodic
      ? ['runs by OnUnitActiveSec= or OnUnitInactiveSec= are additional to the schedule']
      : []),
    ...(hasSchedule || isStarted ? [] : [NEVER_STARTS]),
    ...(conditions === ''
      ? []
      : [`${conditions} may prevent the timer from starting after a boot, so that nothing runs`]),
  ]
}

const NEVER_STARTS =
  'without OnBootSec= or OnActiveSec=, the timer waits after each boot until another unit starts the service'

/** Settings that delay the start, with their defaults in seconds. */
const DELAYS = [
  ['AccuracySec', 60],
  ['RandomizedDelaySec', 0],
  ['RandomizedOffsetSec', 0],
] as const

/** Settings for periods that begin when the service starts or ends. */
const PERIODS = ['OnUnitActiveSec', 'OnUnitInactiveSec']
/** Settings for periods that begin when the machine, systemd or the timer starts. */
const FIRST_RUNS = ['OnActiveSec', 'OnBootSec', 'OnStartupSec']

/** Returns the period. If several spans apply, the shortest one determines the next run. */
function periodOf(timer: Unit): { readonly timeout: number } | Problem {
  const spans = PERIODS.flatMap((name) => spansOf(timer, name))
  if (spans.length > 0) return { timeout: Math.round(spans.reduce((a, b) => Math.min(a, b))) }
  if (FIRST_RUNS.some((name) => spansOf(timer, name).length > 0)) return RUNS_ONCE
  return ['OnClockChange', 'OnTimezoneChange'].some((name) => timer.isOn(`Timer.${name}`)) ? RUNS_AT_CHANGES : NO_TIME
}

const RUNS_ONCE = problemOf(
  'It starts its service once after each boot or start of the timer, so it has no expected time.',
)
const RUNS_AT_CHANGES = problemOf(
  'It starts its service when the clock or the time zone is changed, so it has no expected time.',
)
const NO_TIME = problemOf(
  'It has no time that systemd understands, so systemd rejects it.',
  'Give it an OnCalendar= or OnUnitActiveSec=, and import again.',
)

const spansOf = (timer: Unit, name: string) =>
  timer
    .get(`Timer.${name}`)
    .map(readSpanOfSystemd)
    .filter((span) => span !== null)

/** Returns problems with spans that systemd cannot parse. If a setting can have only one value, its previous value stays in effect. */
function wrongSpans(timer: Unit): readonly Problem[] {
  return [...FIRST_RUNS, ...PERIODS, ...DELAYS.map(([name]) => name)].flatMap((name) =>
    timer
      .get(`Timer.${name}`)
      .filter((text) => text !== 'infinity' && readSpanOfSystemd(text) === null)
      .map((text) => problemOf(`systemd ignores ${name}=${within(text, TEXT_SHOWN)}, which is not a time span.`, SPAN)),
  )
}

const TEXT_SHOWN = 100
const SPAN = 'Write it as systemd reads it, such as 1h 30min, and import again.'
