/** Reads the schedule of a Kubernetes CronJob, the maximum delay of a run's start, and the maximum duration of a run. */

import { readGoDuration } from '../../../domain/go-duration.ts'
import { dayWithoutRun, readKubernetesCron } from '../../../domain/job-schedule/kubernetes-cron.ts'
import { ForeignScheduleError } from '../../../domain/schedule/schedule-text.ts'
import { canonicalTimeZone } from '../../../domain/schedule/time-zones.ts'
import { scheduleError } from '../../../domain/schedule/typed/typed-schedule.ts'
import type { Instant } from '../../../lib/time.ts'
import { readScheduleWord } from '../crontab/cron-fields.ts'
import { type ProposalOptions, type ProposedTiming, timingProblem } from '../proposal.ts'
import { at, type Tree, textAt } from '../tree.ts'
import { POD } from './objects.ts'

type TimingOptions = Pick<ProposalOptions, 'zone' | 'zoneHint' | 'now'>

interface CronJobTiming {
  readonly timing: ProposedTiming
  readonly delaySeconds: number
  /** maximum duration of a run, in seconds; 0 if there is no limit */
  readonly runSeconds: number
  readonly isPaused: boolean
  readonly why: readonly string[]
}

/**
 * @param options `now` is the instant after which clock changes are considered
 * @returns a sentence with the reason if a check cannot have this schedule
 */
export function readTiming(cronJob: Tree, { zone: usualZone, zoneHint, now }: TimingOptions): CronJobTiming | string {
  const [, prefixed, expression = ''] =
    /^(?:(?:CRON_)?TZ=(\S*)\s+)?(.*)$/s.exec((textAt(cronJob, 'spec', 'schedule') ?? '').trim()) ?? []
  const named = at(cronJob, 'spec', 'timeZone') ?? undefined
  if (prefixed !== undefined && named !== undefined) {
    return 'It has a zone in its schedule and in timeZone, which Kubernetes rejects.'
  }
  const zone = prefixed ?? named
  const tz = zone === undefined ? usualZone : typeof zone === 'string' ? canonicalTimeZone(zone) : null
  if (tz === null) return 'Its time zone is not an IANA name such as Europe/Riga.'
  const read = readExpression(expression)
  if ('problem' in read) return read.problem
  const timing = 'timeout' in read.timing ? read.timing : { ...read.timing, tz }
  const problem = timingProblem(timing)
  if (problem !== null) return problem
  const runsNoPods = isTrue(at(cronJob, ...JOB, 'suspend')) || at(cronJob, ...JOB, 'parallelism') === 0
  return {
    timing,
    delaySeconds: secondsAt(cronJob, 'spec', 'startingDeadlineSeconds'),
    runSeconds: longestRun(cronJob),
    isPaused: isTrue(at(cronJob, 'spec', 'suspend')) || runsNoPods,
    why: [
      ...read.why,
      ...(runsNoPods ? ['its jobs are suspended, or have a parallelism of 0'] : []),
      ...(zone === undefined && 'tz' in timing ? [noZoneWords(tz, zoneHint)] : []),
      ...skippedByClocks(timing, now),
      ...(prefixed === undefined ? [] : ['Kubernetes rejects new CronJobs with a zone in the schedule: use timeZone']),
    ],
  }
}

const noZoneWords = (tz: string, hint?: string) =>
  `it names no zone, so ${tz} is assumed${hint === undefined ? '' : `: ${hint}`}`

function skippedByClocks(timing: ProposedTiming, now: Instant): readonly string[] {
  const day = 'timeout' in timing ? null : dayWithoutRun({ ...timing, kind: 'cron' }, now)
  return day === null ? [] : [`on ${day} clocks skip its time and Kubernetes does not run it, so the check will alert`]
}

const JOB = ['spec', 'jobTemplate', 'spec'] as const

/** Returns the job's deadline in seconds, or its pod's deadline if the job has none. */
function longestRun(cronJob: Tree): number {
  return secondsAt(cronJob, ...JOB, 'activeDeadlineSeconds') || secondsAt(cronJob, ...POD, 'activeDeadlineSeconds')
}

function secondsAt(tree: Tree, ...names: readonly string[]): number {
  const value = at(tree, ...names)
  return typeof value === 'number' && value > 0 ? Math.ceil(value) : 0
}

/** Returns true for true, and for the YAML 1.1 words that Kubernetes reads as true. */
function isTrue(value: Tree): boolean {
  return value === true || (typeof value === 'string' && /^(?:y|yes|on)$/i.test(value))
}

/** Matches words that Kubernetes accepts instead of five fields. */
const WORDS = /^@(?:yearly|annually|monthly|weekly|daily|midnight|hourly)$/

function readExpression(expression: string): ReturnType<typeof readScheduleWord> {
  const every = /^@every\s+(.+)$/.exec(expression)?.[1]
  if (every !== undefined) {
    const timeout = readGoDuration(every)
    if (timeout === null) return { problem: 'Its "@every" needs a duration such as 1h30m.' }
    return { timing: { timeout }, delaySeconds: 0, why: [] }
  }
  if (WORDS.test(expression)) return readScheduleWord(expression)
  if (expression.startsWith('@')) return { problem: 'Kubernetes does not understand its schedule.' }
  const fields = expression.split(/\s+/)
  if (fields.length !== 5) {
    const error = scheduleError(expression)
    return {
      problem: error instanceof ForeignScheduleError ? error.message : 'Its schedule does not have five fields.',
    }
  }
  const read = readKubernetesCron(fields)
  return 'problem' in read ? read : { timing: read, delaySeconds: 0, why: [] }
}
