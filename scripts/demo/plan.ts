/** Pings of a job, from the day on which its check was created and without an end. */
import type { Action } from '../../src/domain/ping/signal.ts'
import { nextAfter } from '../../src/domain/schedule/schedule.ts'
import { Temporal } from '../../src/lib/time.ts'
import type { Job, Run, Trouble } from './job.ts'
import { type Chance, createChance } from './random.ts'

export interface PlannedPing {
  readonly job: Job
  /** milliseconds since the epoch */
  readonly at: number
  readonly action: Action
  readonly exitStatus: number | null
  readonly text: string | null
  /** true if it may send the check up or down */
  readonly turns: boolean
}

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS
const DAYS = 30
const PERIOD_DEFAULT_SECONDS = 86_400

/** Returns the creation time of a job's check. */
export function madeAt({ madeDaysAgo = DAYS }: Job, now: number): number {
  return now - madeDaysAgo * DAY_MS
}

/** @param now start of the demo; troubles and the runs of a period are counted from it */
export function* planPings(job: Job, now: number): Generator<PlannedPing, void> {
  if (job.hasNeverRun) return
  const chance = createChance(job.spec.slug)
  let isWell = false
  let n = 0
  for (const slot of slots(job, now)) {
    n += 1
    const found = (job.troubles ?? []).find((it) => isWithin(it, slot, now))
    const trouble = found?.what ?? null
    const run = beginRun(job, slot, n, chance)
    if (job.paused && slot >= now - job.paused.hoursAgo * HOUR_MS) return
    if (trouble?.kind === 'silent') {
      // Otherwise this would look for the next ping forever.
      if (found?.toHoursAgo === null) return
      isWell = false
      continue
    }
    const began = run.at.getTime() + (trouble?.kind === 'late' ? trouble.bySeconds * 1000 : 0)
    const ended = Math.round(began + run.seconds * 1000)
    if (job.takes !== null) yield { job, at: began, action: 'start', exitStatus: null, text: null, turns: false }
    if (trouble?.kind === 'failed') {
      const { exitStatus, says } = trouble
      yield { job, at: ended, action: 'fail', exitStatus, text: says(run), turns: true }
    } else {
      const turns = !isWell || trouble !== null
      yield { job, at: ended, action: 'success', exitStatus: null, text: job.says?.(run) ?? null, turns }
    }
    isWell = trouble === null
  }
}

function beginRun({ takes }: Job, slot: number, n: number, chance: Chance): Run {
  // Machines wake up a little after the time, and seldom at the same moment.
  const at = new Date(slot + chance.between(300, 4_000))
  return { chance, n, at, seconds: takes === null ? 0 : takes * chance.spread() }
}

function isWithin({ fromHoursAgo, toHoursAgo }: Trouble, slot: number, now: number): boolean {
  return slot >= now - fromHoursAgo * HOUR_MS && (toHoursAgo === null || slot < now - toHoursAgo * HOUR_MS)
}

/** Generates the times at which runs are due. */
function* slots(job: Job, now: number): Generator<number, void> {
  const { tz = 'UTC', timeout = PERIOD_DEFAULT_SECONDS } = job.spec
  const schedule = job.runsBy ?? job.spec.schedule
  const first = madeAt(job, now)
  if (schedule === undefined) {
    const period = timeout * 1000
    const last = now - (job.beganAgo ?? timeout / 2) * 1000
    for (let at = last - Math.floor((last - first) / period) * period; ; at += period) yield at
  }
  let at = nextAfter(schedule, tz, Temporal.Instant.fromEpochMilliseconds(first))
  while (at !== null) {
    yield at.epochMilliseconds
    at = nextAfter(schedule, tz, at)
  }
}
