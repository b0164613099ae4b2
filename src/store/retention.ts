/** What the retention loop does to the database, in steps: see `prune` of the store. */
import type { Instant } from '../domain/time.ts'
import type { Sql } from './database.ts'
import { clearDeletedChecks, findDeletedChecks } from './deleted-checks.ts'
import { deleteFlips } from './flips.ts'
import { shortenLogs } from './log-retention.ts'
import { endPassage, findOvergrown, markProjects, UNMARK } from './overgrown.ts'
import { findSetting, writeSetting } from './projects.ts'
import type { Steps } from './steps.ts'
import type { Pruned } from './store.ts'

const LOG_BYTES = 'ping_log_bytes'

/** Where bodies have less room than when a server last began, every log is to be looked through. */
async function noteLogBytes(sql: Sql, logBytes: number): Promise<void> {
  const before = await findSetting(sql, LOG_BYTES)
  if (before === String(logBytes)) return
  if (before !== null && logBytes < Number(before)) await markProjects(sql, null)
  await writeSetting(sql, LOG_BYTES, String(logBytes))
}

/** @param logBytes that the bodies of a log may take beyond the newest entry's */
export function createPrune(steps: Steps, logBytes: number): (flipsBefore: Instant, limit: number) => Promise<Pruned> {
  // Once, since another server on this database may have another setting.
  let isNoted = false
  // Logs that are marked again and again do not keep the others from their turn.
  let lastMarked = ''
  return async (flipsBefore, limit) => {
    if (!isNoted) await steps.write((sql) => noteLogBytes(sql, logBytes))
    isNoted = true
    const { deleted, marks, passage } = await steps.read(async (sql) => ({
      deleted: await findDeletedChecks(sql, limit),
      ...(await findOvergrown(sql, limit, lastMarked)),
    }))
    const cleared = await clearDeletedChecks(steps, deleted)
    const overgrown = new Set([...marks.map(({ checkId }) => checkId), ...(passage?.checkIds ?? [])])
    const shortened = await shortenLogs(steps, overgrown, logBytes)
    await steps.runEach(
      UNMARK,
      marks.map(({ checkId, n }) => [checkId, n]),
    )
    lastMarked = (marks.length === limit ? marks.at(-1)?.checkId : null) ?? ''
    if (passage) await steps.write((sql) => endPassage(sql, passage))
    const forgotten = await deleteFlips(steps, flipsBefore, limit)
    return {
      pings: cleared.pings + shortened.pings,
      bodies: shortened.bodies,
      flips: cleared.flips + forgotten,
      more: passage !== null || [deleted.length, marks.length, forgotten].includes(limit),
    }
  }
}
