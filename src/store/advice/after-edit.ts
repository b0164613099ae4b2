/** Updates a check's advice after an edit. */
import { heldSince, isTimedOtherwise, leftAdvice, takenFix } from '../../domain/advice/stored-advice.ts'
import type { CheckWithChannels } from '../../domain/check/representation.ts'
import { type Instant, Temporal } from '../../lib/time.ts'
import type { Sql } from '../sql/database.ts'
import { findAdvice, lookSoon, writeAdvice, writeAnew } from './looks.ts'

/**
 * Withdraws advice that the edit may have fixed, and makes the check due for examination. If the check's timing has changed, its
 * examination starts over. The caller must have locked the check.
 */
export async function reviseAdvice(
  sql: Sql,
  before: CheckWithChannels,
  after: CheckWithChannels,
  now: Instant,
): Promise<void> {
  const stored = await findAdvice(sql, after.check.id)
  if (stored === null) return
  const advice = leftAdvice(stored.advice, before, after)
  const at = now.epochMilliseconds
  const since = heldSince(stored.fixed, after.check, at)
  const fixed = since === null ? takenFix(stored, before.check, after.check, at) : null
  if (isTimedOtherwise(before.check, after.check)) {
    const heldFrom = since === null ? now : Temporal.Instant.fromEpochMilliseconds(since)
    return writeAnew(sql, { ...stored, advice, fixed }, heldFrom, now)
  }
  if (fixed !== null || advice.length < stored.advice.length) {
    await writeAdvice(sql, { ...stored, advice, fixed: fixed ?? stored.fixed }, now)
  }
  await lookSoon(sql, [after.check.id])
}
