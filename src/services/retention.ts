/**
 * Implements retention. Trims logs to their limits, and removes old data: flips that reports no longer need, audit log rows, receivers'
 * answers, ended silences, abandoned imports, expired sessions, killed instances, and what is left of deleted checks.
 */
import { addSeconds, type Instant, isBefore } from '../lib/time.ts'
import type { Deps } from './common/deps.ts'

/**
 * Retention period for flips, in days. A report covers the current month and the two months before it: at most 92 days, plus a few
 * hours until the report is sent in the morning.
 */
const DAYS_KEPT = 93
const AUDIT_DAYS = 365
/** Retention period for receivers' answers, in days. */
const ANSWER_DAYS = 30
/** Seconds without progress after which an import is considered abandoned. */
const STAGED_SECONDS = 86_400
/** How long a killed instance stays listed, in seconds. */
const INSTANCE_SECONDS = 86_400
/**
 * Seconds between two clean-ups. This is less than a minute, so that every tick of the loop includes a clean-up, but not every batch does.
 */
const TIDY_SECONDS = 50
/**
 * Maximum number of logs per batch. A server that is stopping waits for the current batch, so batches are small. Even smaller batches
 * would be inefficient, because finding the work for a batch takes as long as trimming a few logs. Pings wait for only a single step
 * of a batch (`store/sql/steps.ts`).
 */
const BATCH_LIMIT = 40

/** Returns the time before which flips are deleted. */
export function flipsKeptSince(now: Instant): Instant {
  return now.subtract({ hours: DAYS_KEPT * 24 })
}

/**
 * Creates the retention job.
 * @returns a function that removes one batch, and returns when to run again: now if there is more to remove, or null if there is nothing
 * left. Data other than logs and flips is removed once a minute
 */
export function createRetention({
  store,
  now,
  log,
}: Pick<Deps, 'store' | 'now' | 'log'>): () => Promise<Instant | null> {
  let tidiedAt: Instant | null = null
  const tidy = async (at: Instant) => {
    const audit = await store.retention.pruneAudit(at.subtract({ hours: AUDIT_DAYS * 24 }), BATCH_LIMIT)
    const answers = await store.retention.pruneAnswers(at.subtract({ hours: ANSWER_DAYS * 24 }), BATCH_LIMIT)
    const silences = await store.retention.pruneSilences(flipsKeptSince(at), BATCH_LIMIT)
    const left = (await store.imports.listStagedProjects()).filter(({ stagedAt }) =>
      isBefore(stagedAt, addSeconds(at, -STAGED_SECONDS)),
    )
    for (const project of left) await store.imports.dropStagedProject(project)
    if (left.length > 0) return true
    const staged = await store.imports.dropStaleLogs(addSeconds(at, -STAGED_SECONDS), BATCH_LIMIT)
    if ([audit, answers, silences, staged].includes(BATCH_LIMIT)) return true
    await store.retention.removeExpired(at)
    await store.instances.remove(addSeconds(await store.server.readClock(), -INSTANCE_SECONDS))
    tidiedAt = at
    return false
  }
  // The clean-up must still run if the clock was set back.
  const isTidy = (at: Instant) =>
    tidiedAt !== null && !isBefore(at, tidiedAt) && isBefore(at, addSeconds(tidiedAt, TIDY_SECONDS))
  return async () => {
    const at = now()
    const { more, ...pruned } = await store.retention.prune(flipsKeptSince(at), BATCH_LIMIT)
    if (pruned.pings + pruned.bodies + pruned.events > 0) log('debug', 'pruned', pruned)
    const isMore = !isTidy(at) && (await tidy(at))
    return more || isMore ? now() : null
  }
}
