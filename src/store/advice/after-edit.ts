/** What an edit of a check makes of its advice. */
import { isTimedOtherwise, leftAdvice, takenFix } from '../../domain/advice/stored-advice.ts'
import type { CheckWithChannels } from '../../domain/check/representation.ts'
import type { Instant } from '../../lib/time.ts'
import type { Sql } from '../sql/database.ts'
import { findAdvice, lookSoon, writeAdvice, writeAnew } from './looks.ts'

/** Withdraws what the edit may have mended, and has the check looked at again: anew, if it is timed otherwise. The caller has locked it. */
export async function reviseAdvice(
  sql: Sql,
  before: CheckWithChannels,
  after: CheckWithChannels,
  now: Instant,
): Promise<void> {
  const { id } = after.check
  const stored = await findAdvice(sql, id)
  if (stored === null) return
  const advice = leftAdvice(stored.advice, before, after)
  const fixed = takenFix(stored.advice, before.check, after.check, now.epochMilliseconds)
  if (isTimedOtherwise(before.check, after.check)) return writeAnew(sql, { ...stored, advice, fixed }, now)
  if (fixed !== null || advice.length < stored.advice.length)
    await writeAdvice(sql, { ...stored, advice, fixed: fixed ?? stored.fixed }, now)
  await lookSoon(sql, [id])
}
