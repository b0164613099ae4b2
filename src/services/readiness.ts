/** Whether the server can do its work: each part asked by itself, so that what fails is named with its reason. */
import { Refusal } from '../domain/errors.ts'
import { addSeconds, type Instant, isBefore, isoSeconds, microsecondsBetween } from '../domain/time.ts'
import type { Deps } from './deps.ts'
import type { BackupFigures, LoopFigures } from './measurements.ts'

export interface ReadinessLine {
  /** what was looked at */
  readonly part: string
  /** what is wrong with it; null when nothing is */
  readonly problem: string | null
  /** what is worth knowing and no problem */
  readonly note?: string
}

/** One line for each part, in the same order each time. */
export type Readiness = () => Promise<readonly ReadinessLine[]>

/** However many ask, the disk is written once in that time. */
const KEPT_SECONDS = 1
/** A delivery that is due waits for its seat no longer than an attempt at another one takes. */
const OVERDUE_SECONDS = 60
const MOVED_WITHIN_SECONDS = 90

type Needs = Pick<Deps, 'store' | 'now' | 'stopwatch' | 'measurements'>

export function createReadiness(deps: Needs): Readiness {
  const { stopwatch } = deps
  let kept: { readonly until: number; readonly lines: Promise<readonly ReadinessLine[]> } | null = null
  let isUnderWay = false
  return () => {
    // Where the disk is slow, a second look would only wait behind the first.
    if (kept && (isUnderWay || stopwatch() < kept.until)) return kept.lines
    isUnderWay = true
    const lines = look(deps).finally(() => {
      isUnderWay = false
    })
    kept = { until: stopwatch() + KEPT_SECONDS, lines }
    return lines
  }
}

async function look(deps: Needs): Promise<ReadinessLine[]> {
  const { measurements, stopwatch } = deps
  const database = await problemOf(() => databaseProblem(deps))
  return [
    { part: 'database', problem: database },
    ...Array.from(measurements.loops, ([name, figures]) => ({
      part: `loop ${name}`,
      problem: loopProblem(figures, stopwatch()),
    })),
    shortened({ part: 'outbox', problem: await problemOf(() => outboxProblem(deps)) }, database),
    shortened(await lastOutage(deps), database),
    ...(measurements.backups ? [lastBackup(measurements.backups)] : []),
  ]
}

/** What keeps the database from being read as well is told once. */
function shortened(line: ReadinessLine, database: string | null): ReadinessLine {
  return database !== null && line.problem === database ? { ...line, problem: 'see database' } : line
}

/** A part that cannot even be asked does not work either. */
async function problemOf(ask: () => Promise<string | null>): Promise<string | null> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.reason
  }
}

async function databaseProblem({ store, now }: Needs): Promise<null> {
  await store.proveWritable(now())
  return null
}

/** People who wonder why a check was judged late find the reason here. */
async function lastOutage({ store }: Needs): Promise<ReadinessLine> {
  let note = 'none known'
  const problem = await problemOf(async () => {
    const outage = await store.findOutage()
    if (outage) note = `from ${isoSeconds(outage.from)} until ${isoSeconds(outage.until)}`
    return null
  })
  return { part: 'last outage', problem, note }
}

/** A server without a fresh backup can do its work; the reason of a failure names paths, so it stays in the log. */
function lastBackup({ newest, lastFailureAt }: BackupFigures): ReadinessLine {
  const words = newest ? `at ${isoSeconds(newest.at)}, ${newest.bytes} bytes` : 'none'
  const hasFailed = lastFailureAt !== null && (newest === null || isBefore(newest.at, lastFailureAt))
  const failure = hasFailed ? `; the attempt at ${isoSeconds(lastFailureAt)} failed, see the log` : ''
  return { part: 'last backup', problem: null, note: `${words}${failure}` }
}

/** @param at by the stopwatch */
function loopProblem({ started, lastRun, lastSuccess, patienceSeconds }: LoopFigures, at: number): string | null {
  const seconds = Math.floor(at - (lastSuccess ?? started))
  if (seconds < patienceSeconds) return null
  const isStanding = lastRun === null || at - lastRun >= patienceSeconds
  const what = isStanding ? 'no run has ended' : 'every run has failed'
  return `${what} for ${seconds} seconds, at most ${patienceSeconds} are normal`
}

async function outboxProblem({ store, now, stopwatch, measurements }: Needs): Promise<string | null> {
  const dueAt = await store.nextDeliveryAt()
  const at = now()
  if (dueAt === null || isBefore(at, addSeconds(dueAt, OVERDUE_SECONDS))) return null
  const { lastAttempt } = measurements
  // What is behind many others, or waits for a receiver that takes few messages a minute, is late and not stuck.
  if (lastAttempt !== null && stopwatch() - lastAttempt < MOVED_WITHIN_SECONDS) return null
  return `a delivery has been due for ${secondsBetween(dueAt, at)} seconds, since ${isoSeconds(dueAt)}, and none is being sent`
}

function secondsBetween(earlier: Instant, later: Instant): number {
  return Math.floor(microsecondsBetween(earlier, later) / 1_000_000)
}
