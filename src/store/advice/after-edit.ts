/** What an edit of a check makes of its advice. */
import { heldSince, takenFix } from '../../domain/advice/stored-advice.ts'
import type { Check } from '../../domain/check/check.ts'
import { TIMING_FIELDS } from '../../domain/check/fields.ts'
import { type Instant, Temporal } from '../../lib/time.ts'
import type { Sql } from '../sql/database.ts'
import { beginAdviceAnew, findAdvice, lookSoon } from './looks.ts'

const TIMINGS = Object.keys(TIMING_FIELDS) as (keyof typeof TIMING_FIELDS)[]

/** Has an edited check looked at again: anew, if it is timed otherwise. The caller has locked it. */
export async function reviseAdvice(sql: Sql, before: Check, after: Check, now: Instant): Promise<void> {
  if (TIMINGS.every((name) => before[name] === after[name])) return lookSoon(sql, [after.id])
  const stored = await findAdvice(sql, after.id)
  const at = now.epochMilliseconds
  const since = heldSince(stored?.fixed ?? null, after, at)
  const fixed = since === null && stored !== null ? takenFix(stored, before, after, at) : null
  await beginAdviceAnew(sql, after.id, since === null ? now : Temporal.Instant.fromEpochMilliseconds(since), fixed)
}
