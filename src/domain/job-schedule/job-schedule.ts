/** Converts a check's schedule to the syntax of the program that runs the job. */
import type { Instant } from '../../lib/time.ts'
import type { Check } from '../check/check.ts'
import { scheduleWords } from '../check/schedule-words.ts'
import { ScheduleError } from '../schedule/schedule-text.ts'
import { cronOfCalendar } from './calendar-cron.ts'
import { crontabFields } from './crontab-cron.ts'
import { dayWithoutRun, kubernetesFields } from './kubernetes-cron.ts'

export type CheckTiming = Pick<Check, 'kind' | 'timeoutSeconds' | 'schedule' | 'tz'>

export interface JobSchedule {
  /** cron expression with five fields */
  readonly cron: string
  /** IANA name of the expression's zone; null: the expression is an example without a zone */
  readonly tz: string | null
  /**
   * a sentence that says why the expression is only an example, or when it fails to run; null: it runs whenever the check expects a ping
   */
  readonly remark: string | null
}

const PROGRAMS = {
  cron: { name: 'cron', fields: crontabFields, remarkOn: () => null },
  kubernetes: { name: 'Kubernetes', fields: kubernetesFields, remarkOn: clockRemark },
} as const

function clockRemark(check: CheckTiming, now: Instant): string | null {
  const day = dayWithoutRun(check, now)
  return day === null
    ? null
    : `On ${day} clocks skip this time: Kubernetes will not run the job, and the check will alert.`
}

type Program = keyof typeof PROGRAMS

/**
 * Returns the check's schedule in the program's syntax, or an example.
 * @param now only clock changes after this time are considered
 */
export function jobSchedule(check: CheckTiming, program: Program, now: Instant): JobSchedule {
  const { words } = scheduleWords(check)
  if (check.kind === 'simple') {
    const remark = `An example: the check expects a ping ${words.replace(/^E/, 'e')}.`
    return { cron: cronWithin(check.timeoutSeconds), tz: null, remark }
  }
  const zone = words.endsWith(')') ? '' : ` (${check.tz})`
  const remark = `An example: ${PROGRAMS[program].name} cannot express when this check expects a ping: ${words}${zone}.`
  return exactSchedule(check, program, now) ?? { cron: EXAMPLE, tz: null, remark }
}

/**
 * Returns the program's equivalent of the schedule. Null if the program can't express the schedule, or if the stored schedule or zone is no
 * longer valid.
 */
function exactSchedule(check: CheckTiming, program: Program, now: Instant): JobSchedule | null {
  const { kind, schedule, tz } = check
  try {
    const own = kind === 'cron' ? { cron: schedule, tz } : cronOfCalendar(schedule)
    const { fields, remarkOn } = PROGRAMS[program]
    const cron = own === null ? null : (fields(own.cron)?.join(' ') ?? null)
    if (cron === null) return null
    return { cron, tz: own?.tz ?? tz, remark: remarkOn(check, now) }
  } catch (error) {
    if (error instanceof ScheduleError || error instanceof RangeError) return null
    throw error
  }
}

const EXAMPLE = '0 2 * * *'
const HOUR = 3_600
const DAY = 24 * HOUR

/** Example expressions, each with the longest interval between two of its runs, in seconds. */
const EVEN: readonly (readonly [seconds: number, cron: string])[] = [
  [31 * DAY, '0 2 1 * *'],
  [7 * DAY, '0 2 * * 1'],
  [DAY, EXAMPLE],
  ...[12, 8, 6, 4, 3, 2].map((hours) => [hours * HOUR, `0 */${hours} * * *`] as const),
  [HOUR, '0 * * * *'],
  ...[30, 20, 15, 12, 10, 6, 5, 4, 3, 2].map((minutes) => [minutes * 60, `*/${minutes} * * * *`] as const),
]

/** Returns an expression that runs at least once per period, and no more often than necessary. */
function cronWithin(seconds: number): string {
  return EVEN.find(([gap]) => gap <= seconds)?.[1] ?? '* * * * *'
}
