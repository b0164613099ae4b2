/**
 * Retention: trims logs to their limits, and removes flips that no report needs any more, old rows of the audit log, old answers of
 * receivers, silences that ended long ago, data of abandoned imports, expired sessions, instances that were killed, and leftovers of
 * deleted checks.
 */
import { addSeconds, type Instant, isBefore } from '../lib/time.ts'
import type { Deps } from './common/deps.ts'

/**
 * Days that flips are kept. A report needs the current month and the two before it: at most 92 days, and a few hours until the morning when
 * it is sent.
 */
const DAYS_KEPT = 93
const AUDIT_DAYS = 365
/** Days that answers of receivers are kept. */
const ANSWER_DAYS = 30
/** Seconds without progress after which an import that was killed is given up. */
const STAGED_SECONDS = 86_400
/** Seconds that a killed instance is shown. */
const INSTANCE_SECONDS = 86_400
/** Seconds between two tidy-ups. Less than a minute, so that each tick of the loop tidies, but not each batch. */
const TIDY_SECONDS = 50
/**
 * Most logs of a batch. A server that stops waits for a batch, so batches are small. They are not smaller, since finding the work of a
 * batch takes as long as trimming a few logs. Pings wait only for a step of a batch (`store/sql/steps.ts`).
 */
const BATCH_LIMIT = 40

/** Returns the time before which flips are removed. */
export function flipsKeptSince(now: Instant): Instant {
  return now.subtract({ hours: DAYS_KEPT * 24 })
}

/**
 * Creates the job of retention.
 * @returns a run: removes one batch, and returns when to run again: at once while there is more; null when all is done. Everything but logs
 * and flips is tidied once a minute
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
  // A clock that was set back must not prevent tidying.
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
