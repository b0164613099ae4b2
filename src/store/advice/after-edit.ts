/** What an edit of a check makes of its advice. */
import { isTimedOtherwise, leftAdvice, takenFix } from '../../domain/advice/stored-advice.ts'
import type { Check } from '../../domain/check/check.ts'
import type { Instant } from '../../lib/time.ts'
import type { CheckChange } from '../interface/checks.ts'
import type { Sql } from '../sql/database.ts'
import { findAdvice, lookSoon, writeAdvice, writeAnew } from './looks.ts'

/** Withdraws what the edit may have mended, and has the check looked at again: anew, if it is timed otherwise. The caller has locked it. */
export async function reviseAdvice(
  sql: Sql,
  before: Check,
  { check: after, channelIds }: CheckChange,
  now: Instant,
): Promise<void> {
  const stored = await findAdvice(sql, after.id)
  if (stored === null) return
  const advice = leftAdvice(stored.advice, before, after, channelIds !== undefined)
  const fixed = takenFix(stored.advice, before, after, now.epochMilliseconds)
  if (isTimedOtherwise(before, after)) return writeAnew(sql, { ...stored, advice, fixed }, now)
  if (fixed !== null || advice.length < stored.advice.length)
    await writeAdvice(sql, { ...stored, advice, fixed: fixed ?? stored.fixed }, now)
  await lookSoon(sql, [after.id])
}
