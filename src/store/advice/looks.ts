/** Claims checks for a look and stores the findings. A look is an examination of a check by the advice loop. */

import { type AdviceState, spokenAdvice, stillPutOff } from '../../domain/advice/stored-advice.ts'
import { type Instant, toMicroseconds } from '../../lib/time.ts'
import type { Look, StoredAdvice } from '../interface/advice.ts'
import { type Changing, NO_CHANGES, touch } from '../revisions/revisions.ts'
import type { Sql } from '../sql/database.ts'
import { runForAll } from '../sql/key-lists.ts'
import { instantOrNull, KEYS } from '../sql/rows.ts'
import { ADVICE } from '../tables/checks.ts'
import { addDays, forgetDays } from './check-days.ts'

const NEXT = 'SELECT MIN(look_after) AS look_after FROM advice'

/** Returns when the next check must be examined; null if there is none. */
export async function nextAdviceLookAt(sql: Sql): Promise<Instant | null> {
  const row = await sql.get<{ look_after: number | null }>(NEXT, [])
  return instantOrNull(row?.look_after ?? null)
}

/** Claims checks to examine, longest overdue first. No other instance examines them until the lease ends. */
export function claimLooks(sql: Sql, now: Instant, leaseEndsAt: Instant, limit: number): Promise<StoredAdvice[]> {
  return ADVICE.all(sql, sql.statements.claimLooks, [toMicroseconds(now), toMicroseconds(leaseEndsAt), limit])
}

const CLAIM_ONE = 'UPDATE advice SET look_after = $2 WHERE check_id = $1 RETURNING *'

/** Claims one check, even if it is not due. @returns null if the check does not exist */
export function claimLook(sql: Sql, checkId: string, leaseEndsAt: Instant): Promise<StoredAdvice | null> {
  return ADVICE.get(sql, CLAIM_ONE, [checkId, toMicroseconds(leaseEndsAt)])
}

const FIND = 'SELECT * FROM advice WHERE check_id = $1'

// A check that was edited in the meantime needs another look.
const RESCHEDULE = 'UPDATE advice SET look_after = $3 WHERE check_id = $1 AND look_after = $2'
const write = ADVICE.updating('lookedN', 'kind', 'variant', 'since', 'advice', 'putOff', 'fixed')

/**
 * Stores the findings of looks, and schedules the next look at each check. If a check was changed after it was claimed, writes only its
 * days, and makes its next look due immediately. Pass only a few looks at a time.
 */
export async function writeLooks(sql: Sql, looks: readonly Look[], now: Instant): Promise<Changing<number>> {
  await sql.lock(
    'check',
    looks.map(({ claimed }) => claimed.checkId),
  )
  const touched = new Map<string, string[]>()
  for (const look of looks) {
    const { claimed, lookedN, days, oldestDay } = look
    const before = await findAdvice(sql, claimed.checkId)
    // Another instance has examined the check because this instance took too long.
    if (before === null || before.lookedN !== claimed.lookedN || before.projectId !== claimed.projectId) continue
    await addDays(sql, before.checkId, days)
    await forgetDays(sql, before.checkId, oldestDay)
    const values = [before.checkId, toMicroseconds(claimed.lookAfter), toMicroseconds(look.lookAfter)]
    const isCurrent = (await sql.run(RESCHEDULE, values)) > 0
    const after = withAdvice({ ...before, lookedN, ...(isCurrent && { advice: look.advice }) }, now)
    await write(sql, after)
    if (isOther(before, after)) touch(touched, before.projectId, before.checkId)
  }
  return { result: looks.length, changes: { ...NO_CHANGES, touched } }
}

export function findAdvice(sql: Sql, checkId: string): Promise<StoredAdvice | null> {
  return ADVICE.get(sql, FIND, [checkId])
}

/** Returns the row to store, with the first advice that no member has hidden. */
function withAdvice(before: StoredAdvice, now: Instant): StoredAdvice {
  const ms = now.epochMilliseconds
  const state: AdviceState = { ...before, putOff: stillPutOff(before.putOff, ms) }
  const [first] = spokenAdvice(state, ms)
  const isSame = first !== undefined && first.kind === before.kind && first.variant === before.variant
  return {
    ...before,
    ...state,
    kind: first?.kind ?? null,
    variant: first?.variant ?? null,
    since: first === undefined ? null : isSame ? before.since : now,
  }
}

/** Returns whether the advice shown on pages has changed. */
function isOther(before: StoredAdvice, after: StoredAdvice): boolean {
  return before.kind !== after.kind || before.variant !== after.variant || before.advice.length !== after.advice.length
}

/** Stores a check's new advice. The caller must have locked the check. */
export async function writeAdvice(sql: Sql, changed: StoredAdvice, now: Instant): Promise<void> {
  await write(sql, withAdvice(changed, now))
}

const BEGIN_ANEW = 'UPDATE advice SET changed_at = $2, look_after = 0 WHERE check_id = $1'

/**
 * Writes the advice of a check whose timing has changed. Hidden advice becomes visible again, and the check becomes due immediately.
 * @param since time from which the new settings apply
 */
export async function writeAnew(sql: Sql, changed: StoredAdvice, since: Instant, now: Instant): Promise<void> {
  await writeAdvice(sql, { ...changed, putOff: [] }, now)
  await sql.run(BEGIN_ANEW, [changed.checkId, toMicroseconds(since)])
}

const SOON = `UPDATE advice SET look_after = 0 WHERE check_id IN (${KEYS})`

/** Schedules an immediate look at each of the checks. The caller must have locked the checks. */
export async function lookSoon(sql: Sql, checkIds: readonly string[]): Promise<void> {
  await runForAll(sql, SOON, checkIds)
}

/**
 * Maximum number of checks that become due immediately, because writing thousands of rows would delay pings. The other checks are examined
 * at their regular times, within a day.
 */
const SOON_AT_MOST = 500

/** Schedules an immediate look at the checks that use a channel. */
export async function lookSoonOfChannel(sql: Sql, channelId: string): Promise<void> {
  await sql.run(sql.statements.soonOfChannel, [channelId, SOON_AT_MOST])
}

/** Schedules an immediate look at the project's checks whose stored advice says that they alert nobody. */
export async function lookSoonOfUntold(sql: Sql, projectId: string): Promise<void> {
  await sql.run(sql.statements.soonOfUntold, [projectId, SOON_AT_MOST])
}

const MOVE = `
  UPDATE advice SET project_id = $2, look_after = 0, kind = NULL, variant = NULL, since = NULL, data = NULL, put_off = NULL, fixed = NULL
  WHERE check_id = $1`
const CLEAR = `
  UPDATE advice SET looked_n = $2, changed_at = $3, look_after = 0, kind = NULL, variant = NULL, since = NULL, data = NULL, put_off = NULL,
    fixed = NULL
  WHERE check_id = $1`

/** Assigns a check's row to another project and clears its advice, because that project's integrations and time zones may differ. */
export async function moveAdvice(sql: Sql, checkId: string, projectId: string): Promise<void> {
  await sql.run(MOVE, [checkId, projectId])
}

/** Clears a check's advice. @param nPings number of the check's pings, which is not reset */
export async function clearAdvice(sql: Sql, checkId: string, nPings: number, now: Instant): Promise<void> {
  await sql.run(CLEAR, [checkId, nPings, toMicroseconds(now)])
  await sql.run('DELETE FROM check_days WHERE check_id = $1', [checkId])
}
