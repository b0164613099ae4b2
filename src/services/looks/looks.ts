/** Examines checks. For each check, reads the data that advice is based on, derives the advice, and counts the runs per day. */
import type { Advice } from '../../domain/advice/advice.ts'
import { adviseInSteps } from '../../domain/advice/advise.ts'
import type { Facts } from '../../domain/advice/facts.ts'
import { nextLook } from '../../domain/advice/next-look.ts'
import { runsOf } from '../../domain/advice/runs.ts'
import { uniqueKey } from '../../domain/check/unique-key.ts'
import { Refusal } from '../../domain/errors.ts'
import { countDays, oldestDay } from '../../domain/run/count-days.ts'
import { messageOf } from '../../lib/errors.ts'
import { addSeconds, type Instant, isBefore, Temporal } from '../../lib/time.ts'
import { inSteps } from '../../lib/work/event-loop-yield.ts'
import type { EnrolledUpTo, Look, StoredAdvice } from '../../store/store.ts'
import type { Deps } from '../common/deps.ts'
import { type ReadFacts, readFacts } from './facts.ts'
import { LastPingsReader } from './last-pings.ts'
import { readSurroundings, type Surroundings, type SurroundingsDeps } from './surroundings.ts'

export type LookDeps = SurroundingsDeps & Pick<Deps, 'now' | 'stopwatch' | 'eventLoop' | 'measurements' | 'log'>

/** Duration of a lease, in seconds. This is much longer than an examination takes. */
const LEASE_SECONDS = 120
/** Seconds before an examination is retried after a failure. Only a bug can cause such a failure. */
const PASSED_OVER_SECONDS = 3_600
/** Number of results to write in one transaction. */
const LOOKS_AT_ONCE = 10
/** Maximum duration of a step, in milliseconds. For most checks, all steps together take less time than this. */
const STEP_MS = 3
/** Maximum amount of work per minute, in seconds. */
const WORK_SECONDS = 1
/**
 * Higher limit for the work per minute. It applies while the oldest due check has been due for this many seconds, for example after an
 * upgrade.
 */
const BEHIND = { workSeconds: 2, dueSeconds: 300 }

/**
 * Creates the job that examines checks.
 * @returns a function for one run, which examines as many due checks as possible in one or two seconds of work, oldest first. The function
 * returns null to let the loop decide when to run next, or the current time while checks from an earlier version still have to be
 * registered
 */
export function createLooks(deps: LookDeps): () => Promise<Instant | null> {
  const { store, now, stopwatch, eventLoop } = deps
  const lastPings = new LastPingsReader(deps)
  let enrolled: EnrolledUpTo | null = null
  let isEnrolled = false
  return async () => {
    const enrollsUntil = stopwatch() + WORK_SECONDS
    while (!isEnrolled && stopwatch() < enrollsUntil) {
      enrolled = await store.advice.enrollMissing(enrolled, now())
      isEnrolled = enrolled === null
    }
    const projects = new Map<string, Surroundings | null>()
    let [looked, worked] = [0, 0]
    const step: Step = (work) =>
      eventLoop.step(async () => {
        const began = stopwatch()
        const result = await work()
        worked += stopwatch() - began
        return result
      })
    let claimed: readonly StoredAdvice[]
    do {
      const at = now()
      claimed = await eventLoop.step(() => {
        return store.advice.claimLooks(at, addSeconds(at, LEASE_SECONDS), LOOKS_AT_ONCE)
      })
      const looks: Look[] = []
      for (const one of claimed) {
        const look = await lookOrPass(deps, one, { projects, step, now: at, lastPings })
        if (look !== null) looks.push(look)
      }
      await eventLoop.step(() => store.advice.writeLooks(looks, at))
      looked += looks.length
    } while (
      claimed.length === LOOKS_AT_ONCE &&
      (worked < WORK_SECONDS || (worked < BEHIND.workSeconds && (await isBehind(deps))))
    )
    deps.measurements.countLooks(looked, worked)
    return isEnrolled ? null : now()
  }
}

async function isBehind({ store, now }: LookDeps): Promise<boolean> {
  const dueAt = await store.advice.nextLookAt()
  return dueAt !== null && isBefore(dueAt, addSeconds(now(), -BEHIND.dueSeconds))
}

/** Examines a check now, even if it is not due. @returns the stored advice; null if the check does not exist */
export async function lookNow(deps: LookDeps, checkId: string): Promise<StoredAdvice | null> {
  const { store } = deps
  const now = deps.now()
  const claimed = await store.advice.claimLook(checkId, addSeconds(now, LEASE_SECONDS))
  const step: Step = (work) => deps.eventLoop.step(work)
  const look = claimed && (await makeLook(deps, claimed, { projects: new Map(), step, now, lastPings: null }))
  if (look !== null) await store.advice.writeLooks([look], now)
  return store.advice.find(checkId)
}

/** Runs one step. Other work can run between steps. */
type Step = <Result>(work: () => Promise<Result>) => Promise<Result>

interface Run {
  /** data for the projects that were read in this run; null if a project no longer exists */
  readonly projects: Map<string, Surroundings | null>
  readonly step: Step
  readonly now: Instant
  /** null if the check is not compared with other checks */
  readonly lastPings: LastPingsReader | null
}

/** Examines a check. A failure is only logged, so that it does not block the other checks. */
async function lookOrPass(deps: LookDeps, claimed: StoredAdvice, run: Run): Promise<Look | null> {
  try {
    return await makeLook(deps, claimed, run)
  } catch (error) {
    if (error instanceof Refusal) throw error
    const { checkId, lookedN, advice } = claimed
    deps.log('error', 'a check could not be examined', { check: uniqueKey(checkId), reason: messageOf(error) })
    const lookAfter = addSeconds(run.now, PASSED_OVER_SECONDS)
    return { claimed, lookedN, advice, days: [], oldestDay: '', lookAfter }
  }
}

async function makeLook(deps: LookDeps, claimed: StoredAdvice, run: Run): Promise<Look | null> {
  const { step, now } = run
  const { checkId, projectId } = claimed
  const around = await surroundingsOf(deps, projectId, run)
  const found = around && (await deps.store.checks.find(checkId))
  // An instance of an earlier version on the same database may have moved the check to another project.
  if (!found || found.check.projectId !== projectId) return null
  const read = await step(() => readFacts(deps, found, around, claimed, now))
  const advice = await inSteps({ step }, adviseInSteps(read.facts, now.epochMilliseconds), STEP_MS)
  const days = await inSteps({ step }, daysOf(read), STEP_MS)
  return {
    claimed,
    lookedN: read.newestN,
    advice: run.lastPings === null ? [...advice, ...twinsOf(claimed)] : advice,
    days,
    oldestDay: oldestDay(found.check.tz, now),
    lookAfter: lookAfter(claimed, read.facts, advice, found.check.status === 'down', around, now),
  }
}

async function surroundingsOf(deps: LookDeps, projectId: string, run: Run): Promise<Surroundings | null> {
  const known = run.projects.get(projectId)
  if (known !== undefined) return known
  const lastPings = (await run.lastPings?.read(projectId, run.now)) ?? { readAt: run.now, pings: [] }
  const around = await run.step(() => readSurroundings(deps, projectId, lastPings))
  run.projects.set(projectId, around)
  return around
}

/** Returns the advice from the last comparison with other checks. It is listed after all other advice. */
function twinsOf({ advice }: StoredAdvice): readonly Advice[] {
  return advice.filter(({ kind }) => kind === 'twins')
}

function lookAfter(
  { putOff }: StoredAdvice,
  facts: Facts,
  advice: readonly Advice[],
  isDown: boolean,
  { project }: Surroundings,
  now: Instant,
): Instant {
  const ms = now.epochMilliseconds
  const next = nextLook(facts, { hasAdvice: advice.length > 0, isDown, logLimit: project.pingLogLimit }, ms)
  const heardAgain = putOff.map(({ until }) => until).filter((until) => until > ms)
  return Temporal.Instant.fromEpochMilliseconds(Math.round(Math.min(next, ...heardAgain)))
}

function daysOf({ facts, log, fresh }: ReadFacts) {
  const runs = runsOf(log)
  const freshRuns = runsOf(log.slice(log.length - fresh)).length
  return countDays(facts.check, runs, freshRuns, { away: facts.away, changedAt: facts.check.changedAt })
}
