/** What an edit of a check makes of its advice. */
import { isTimedOtherwise, leftAdvice, takenFix } from '../../domain/advice/stored-advice.ts'
import type { Check } from '../../domain/check/check.ts'
import type { Instant } from '../../lib/time.ts'
import type { CheckChange } from '../interface/checks.ts'
import type { Sql } from '../sql/database.ts'
import { beginAdviceAnew, findAdvice, lookSoon, writeAdvice } from './looks.ts'

/** Withdraws what the edit may have mended, and has the check looked at again: anew, if it is timed otherwise. The caller has locked it. */
export async function reviseAdvice(
  sql: Sql,
  before: Check,
  { check: after, channelIds }: CheckChange,
  now: Instant,
): Promise<void> {
  const stored = await findAdvice(sql, after.id)
  if (stored === null) return
  const left = leftAdvice(stored.advice, before, after, channelIds !== undefined)
  if (left.length < stored.advice.length) await writeAdvice(sql, { ...stored, advice: left }, now)
  if (!isTimedOtherwise(before, after)) return lookSoon(sql, [after.id])
  await beginAdviceAnew(sql, after.id, now, takenFix(stored.advice, before, after, now.epochMilliseconds))
}
