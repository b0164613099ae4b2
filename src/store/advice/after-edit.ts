/** What an edit of a check makes of its advice. */
import { heldSince, isTimedOtherwise, leftAdvice, takenFix } from '../../domain/advice/stored-advice.ts'
import type { CheckWithChannels } from '../../domain/check/representation.ts'
import { type Instant, Temporal } from '../../lib/time.ts'
import type { Sql } from '../sql/database.ts'
import { beginAdviceAnew, findAdvice, lookSoon, writeAdvice } from './looks.ts'

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
  const left = leftAdvice(stored.advice, before, after)
  if (left.length < stored.advice.length) await writeAdvice(sql, { ...stored, advice: left }, now)
  if (!isTimedOtherwise(before.check, after.check)) return lookSoon(sql, [id])
  const at = now.epochMilliseconds
  const since = heldSince(stored.fixed, after.check, at)
  const fixed = since === null ? takenFix(stored, before.check, after.check, at) : null
  await beginAdviceAnew(sql, id, since === null ? now : Temporal.Instant.fromEpochMilliseconds(since), fixed)
}
