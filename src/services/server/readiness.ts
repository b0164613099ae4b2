/** Checks whether the server can do its work. Each part is checked separately, so that each failure is reported with its own reason. */
import { Refusal } from '../../domain/errors.ts'
import { addSeconds, type Instant, isBefore, isoSeconds, microsecondsBetween } from '../../lib/time.ts'
import type { Durability } from '../../store/store.ts'
import type { Deps } from '../common/deps.ts'
import type { LoopFigures } from '../common/ports/measurements.ts'
import { clockWords, isClockWrong, listInstances } from './instances.ts'
import { readBackupState } from './server-state.ts'

export interface ReadinessLine {
  readonly part: string
  /** description of the problem; null if the part works */
  readonly problem: string | null
  /** information that is not a problem */
  readonly note?: string
}

/** Returns one line for each part, always in the same order. */
export type Readiness = () => Promise<readonly ReadinessLine[]>

/** Cache lifetime of a result, in seconds. The disk is written to at most once during this time, no matter how many callers there are. */
const KEPT_SECONDS = 1
/** Seconds after which a due delivery counts as stuck. A delivery normally waits no longer than it takes to attempt another delivery. */
const OVERDUE_SECONDS = 60
const MOVED_WITHIN_SECONDS = 90

type Needs = Pick<Deps, 'store' | 'now' | 'stopwatch' | 'measurements' | 'instance'>

export function createReadiness(deps: Needs): Readiness {
  const { stopwatch } = deps
  let kept: { readonly until: number; readonly lines: Promise<readonly ReadinessLine[]> } | null = null
  let isUnderWay = false
  return () => {
    // On a slow disk, a second check would have to wait for the first one anyway.
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
  const database = await databaseLine(deps)
  return [
    database,
    ...Array.from(measurements.loops, ([name, figures]) => ({
      part: `loop ${name}`,
      problem: loopProblem(figures, stopwatch()),
    })),
    shortened({ part: 'outbox', problem: await problemOf(() => outboxProblem(deps)) }, database.problem),
    shortened(await instancesAlive(deps), database.problem),
    shortened(await lastOutage(deps), database.problem),
    ...(measurements.backups ? [shortened(await lastBackup(deps), database.problem)] : []),
  ]
}

/** Shortens repeated problems, so that a database problem is described only once. */
function shortened(line: ReadinessLine, database: string | null): ReadinessLine {
  return database !== null && line.problem === database ? { ...line, problem: 'see database' } : line
}

/** Returns a part's problem. If the part's state cannot be read, the problem is the reason why it cannot be read. */
async function problemOf(ask: () => Promise<string | null>): Promise<string | null> {
  try {
    return await ask()
  } catch (error) {
    return reasonOf(error)
  }
}

/** @throws the error if it is unexpected */
function reasonOf(error: unknown): string | null {
  if (!(error instanceof Refusal)) throw error
  return error.reason
}

/** Notes for database engines that let the operator choose how durable a commit is. */
const DURABILITY_NOTES: Readonly<Record<Durability, string>> = {
  memory: 'ok, but commits do not wait for the disk: a crash or a power cut may lose pings that were answered',
  disk: 'ok, commits wait for one disk, and for no standby',
  'standby-memory': 'ok, commits wait for a disk and for the memory of a standby',
  'standby-disk': 'ok, commits wait for the disk of a standby, too',
}

async function databaseLine({ store, now }: Needs): Promise<ReadinessLine> {
  const part = 'database'
  try {
    await store.server.probeWrite(now())
    const durability = await store.server.durability()
    return { part, problem: null, ...(durability === null ? {} : { note: DURABILITY_NOTES[durability] }) }
  } catch (error) {
    return { part, problem: reasonOf(error) }
  }
}

/** Reports the instances. A missing instance is never a problem, because the other instances do its work. */
async function instancesAlive({ store, instance }: Needs): Promise<ReadinessLine> {
  let note = ''
  const problem = await problemOf(async () => {
    const instances = await listInstances({ store })
    const alive = instances.filter(({ isAlive }) => isAlive).length
    const own = instances.find(({ id }) => id === instance.id)
    // An instance that has only just started has no row yet.
    note = `${own ? alive : alive + 1} alive`
    if (own && !own.isAlive)
      note += `, without this one: its last sign of life was ${Math.round(own.silentSeconds)} seconds ago`
    if (own && isClockWrong(own.clockAhead)) note += `; the clock of this machine is ${clockWords(own.clockAhead)}`
    return null
  })
  return { part: 'instances', problem, note }
}

/** Reports the last outage, because it may explain why a check went down late. */
async function lastOutage({ store }: Needs): Promise<ReadinessLine> {
  let note = 'none known'
  const problem = await problemOf(async () => {
    const outage = await store.server.findOutage()
    if (outage) note = `from ${isoSeconds(outage.from)} until ${isoSeconds(outage.until)}`
    return null
  })
  return { part: 'last outage', problem, note }
}

/**
 * Reports the last backup. An old backup does not make the server unready, because the server works without a recent one. The reason
 * for a failure contains paths, so only administrators get to see it.
 */
async function lastBackup(deps: Needs): Promise<ReadinessLine> {
  let note = 'none'
  const problem = await problemOf(async () => {
    const state = await readBackupState(deps)
    if (state === null) return null
    const { newest, failedAt } = state
    if (newest) note = `at ${isoSeconds(newest.at)}, ${newest.bytes} bytes`
    if (failedAt) note += `; the attempt at ${isoSeconds(failedAt)} failed`
    return null
  })
  return { part: 'last backup', problem, note }
}

/** @param at stopwatch time */
function loopProblem({ started, lastRun, lastSuccess, patienceSeconds }: LoopFigures, at: number): string | null {
  const seconds = Math.floor(at - (lastSuccess ?? started))
  if (seconds < patienceSeconds) return null
  const isStanding = lastRun === null || at - lastRun >= patienceSeconds
  const what = isStanding ? 'no run has finished' : 'every run has failed'
  return `${what} for ${seconds} seconds (limit: ${patienceSeconds})`
}

async function outboxProblem({ store, now, stopwatch, measurements }: Needs): Promise<string | null> {
  const dueAt = await store.deliveries.nextAt()
  const at = now()
  if (dueAt === null || isBefore(at, addSeconds(dueAt, OVERDUE_SECONDS))) return null
  const { lastAttempt } = measurements
  // A delivery is late but not stuck if it is waiting for many others, or if its receiver has a rate limit.
  if (lastAttempt !== null && stopwatch() - lastAttempt < MOVED_WITHIN_SECONDS) return null
  return `a delivery has been due for ${secondsBetween(dueAt, at)} seconds (since ${isoSeconds(dueAt)}), and nothing is being sent`
}

function secondsBetween(earlier: Instant, later: Instant): number {
  return Math.floor(microsecondsBetween(earlier, later) / 1_000_000)
}

/**
 * Checks whether the database can be read.
 * @throws Refusal `unavailable`, with the reason in its message; only the operator's probes get to see that message
 */
export async function probeDatabase({ store }: Pick<Deps, 'store'>): Promise<void> {
  try {
    await store.server.probe()
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'unavailable') throw error
    const { reason, data } = error
    throw new Refusal('unavailable', reason, { reason, isLogged: data.isLogged === true }, { cause: error })
  }
}
