/** Implements the store's `prune` in short transactions. */
import type { Instant } from '../../lib/time.ts'
import type { Pruned } from '../interface/upkeep.ts'
import { findOvergrown, markProjects, recordShortened } from '../overgrown.ts'
import { findSetting, writeSetting } from '../server/settings.ts'
import type { Sql } from '../sql/database.ts'
import type { Steps } from '../sql/steps.ts'
import { findClearedChecks, removeCleared } from './cleared-checks.ts'
import { clearDeletedChecks, findDeletedChecks } from './deleted-checks.ts'
import { deleteEvents, findForgettable } from './events.ts'
import { shortenLogs } from './log-retention.ts'

const LOG_BYTES = 'ping_log_bytes'

/** Marks every project's logs if the byte limit is lower than the one that a server last stored. */
async function noteLogBytes(sql: Sql, logBytes: number): Promise<void> {
  await sql.lock('setting', [LOG_BYTES])
  const before = await findSetting(sql, LOG_BYTES)
  if (before === String(logBytes)) return
  if (before !== null && logBytes < Number(before)) await markProjects(sql, null)
  await writeSetting(sql, LOG_BYTES, String(logBytes))
}

/**
 * Removes the rows of deleted checks, trims logs that exceed their limits, and deletes events older than `eventsBefore`; at most `limit` of
 * each. Works in short transactions with pauses for other work. If a call fails, the completed steps are kept.
 * @param logBytes maximum size of the bodies in a log in bytes, not counting the newest entry
 */
export function createPrune(steps: Steps, logBytes: number): (eventsBefore: Instant, limit: number) => Promise<Pruned> {
  // The limit is stored only once, because another instance may have a different one.
  let isNoted = false
  // Marks are read starting from this position, so that logs that are marked repeatedly do not starve the others.
  let lastMarked = ''
  return async (eventsBefore, limit) => {
    if (!isNoted) await steps.write((sql) => noteLogBytes(sql, logBytes))
    isNoted = true
    const [deleted, clearings, { marks, sweep }, old, cutLog] = await steps.read((sql) =>
      Promise.all([
        findDeletedChecks(sql, limit),
        findClearedChecks(sql, limit),
        findOvergrown(sql, limit, lastMarked),
        findForgettable(sql, eventsBefore, limit),
        sql.statements.cutLog,
      ]),
    )
    const removed = await clearDeletedChecks(steps, deleted)
    const cleared = await removeCleared(steps, clearings)
    const overgrown = new Set([...marks.map(({ checkId }) => checkId), ...(sweep?.checkIds ?? [])])
    const shortened = await shortenLogs(steps, [...overgrown], logBytes, cutLog)
    if (overgrown.size > 0 || sweep) await steps.write((sql) => recordShortened(sql, { marks, sweep }))
    lastMarked = (marks.length === limit ? marks.at(-1)?.checkId : null) ?? ''
    const forgotten = await deleteEvents(steps, old)
    return {
      pings: removed.pings + cleared.pings + shortened.pings,
      bodies: shortened.bodies,
      events: removed.events + cleared.events + forgotten,
      more: sweep !== null || [deleted, clearings, marks, old].some(({ length }) => length === limit),
    }
  }
}
