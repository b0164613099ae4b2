/** Writes flips with their incidents and deliveries, always in one transaction. */
import type { WatchedCheck } from '../../domain/check/check.ts'
import type { Flip, FlipFilter } from '../../domain/check/flip.ts'
import { fromMicroseconds, type Instant, toMicroseconds } from '../../lib/time.ts'
import { lookSoon } from '../advice/looks.ts'
import { moveReminders } from '../channels/mailing-dates.ts'
import { type FlippedCheck, type FollowedFlips, followFlips, writeFollowed } from '../incidents/follow.ts'
import type { LockedChecks, Overdue } from '../interface/flips.ts'
import type { Rules } from '../interface/rules.ts'
import { type Page, type PageMark, toPage } from '../pages.ts'
import { type Changing, NO_CHANGES, touch } from '../revisions/revisions.ts'
import {
  CHECKS,
  COUNTER_COLUMNS,
  type CounterRow,
  SHOWN_CHECK,
  statusValues,
  toWatchedCheck,
  UPDATE_STATUS,
  WATCHED_COLUMNS,
  type WatchedRow,
} from '../sql/check-rows.ts'
import type { Sql, Value } from '../sql/database.ts'
import { insertRows } from '../sql/insertion.ts'
import { allOf } from '../sql/key-lists.ts'
import { instantOrNull, KEYS, KEYS_AT_ONCE } from '../sql/rows.ts'
import { EVENTS, FLIPS } from '../tables/alerts.ts'
import { type CountedCheck, writeCounters } from './counters.ts'

/** Writes only the flips, without incidents and deliveries. */
export function writeFlips(sql: Sql, flips: readonly Flip[]): Promise<void> {
  return insertRows(
    sql,
    EVENTS.name,
    EVENTS.written,
    flips.map((flip) => EVENTS.values({ ...flip, kind: 'flip' })),
  )
}

/** Results of writing flips. */
interface InsertedFlips extends Pick<FollowedFlips, 'added'> {
  /** true if any delivery was written */
  readonly owed: boolean
}

/** Writes flips with their incidents and alerts, and starts or ends reminders. The caller must have locked and written the checks. */
export async function insertFlips(sql: Sql, flipped: readonly FlippedCheck[], rules: Rules): Promise<InsertedFlips> {
  if (flipped.length === 0) return { owed: false, added: new Map() }
  const followed = await followFlips(sql, flipped, rules.now())
  const { flips, added } = followed
  await writeFlips(sql, flips)
  const owed = await writeFollowed(sql, followed, rules)
  await moveReminders(sql, flipped, rules.now())
  return { owed, added }
}

/** Returns the check with `nEvents` increased by the number of other events that were added along with its flips. */
export function countingAdded(
  check: WatchedCheck | undefined,
  added: InsertedFlips['added'],
): WatchedCheck | undefined {
  const count = check && added.get(check.id)
  return count === undefined ? check : check && { ...check, nEvents: check.nEvents + count }
}

/** Deletes a check's deliveries that have not been sent yet. The caller must have locked the check. */
export const DELETE_PENDING = `DELETE FROM deliveries WHERE check_id = $1 AND state = 'pending'`

const FLIPS_PER_PAGE = 1_000
// The events of a deleted or cleared check remain until retention removes them.
export const LIST_FLIPS = `
  SELECT * FROM events
  WHERE check_id = $1 AND kind = 'flip' AND created_at >= $2 AND created_at < $3 AND n < $4
    AND EXISTS (SELECT 1 FROM checks WHERE id = $1 AND ${SHOWN_CHECK})
    AND n > COALESCE((SELECT MAX(n_events) FROM cleared_checks WHERE check_id = $1), 0)
  ORDER BY n DESC LIMIT $5`

/** Lists a check's flips, newest first, by `n`. @param atMost maximum number of flips per page, up to 1,000 */
export async function listFlips(
  sql: Sql,
  checkId: string,
  filter: FlipFilter,
  after: PageMark | null,
  atMost: number = FLIPS_PER_PAGE,
): Promise<Page<Flip>> {
  const from = filter.from ? toMicroseconds(filter.from) : 0
  const until = filter.until ? toMicroseconds(filter.until) : Number.MAX_SAFE_INTEGER
  const limit = Math.min(atMost, FLIPS_PER_PAGE)
  const flips = await FLIPS.all(sql, LIST_FLIPS, [checkId, from, until, after ?? Number.MAX_SAFE_INTEGER, limit])
  return toPage(flips, limit, flips, ({ n }) => n)
}

export const LAST_SWITCH = `
  SELECT created_at FROM events
  WHERE check_id = $1 AND (new_status = 'paused' OR (old_status = 'paused' AND new_status = 'new'))
  ORDER BY n DESC LIMIT 1`

/**
 * Returns the time at which a member last paused or resumed each check, by check id.
 * @param ids ids of checks; a check whose flip was removed is left out of the result
 */
export async function listSwitches(sql: Sql, ids: readonly string[]): Promise<ReadonlyMap<string, Instant>> {
  const flips = await sql.getEach<{ created_at: number }>(
    LAST_SWITCH,
    ids.map((id) => [id]),
  )
  const found = ids.flatMap((id, index): [string, Instant][] => {
    const flip = flips[index]
    return flip ? [[id, fromMicroseconds(flip.created_at)]] : []
  })
  return new Map(found)
}

export function findFlip(sql: Sql, checkId: string, n: number): Promise<Flip | null> {
  return FLIPS.get(sql, `SELECT * FROM events WHERE check_id = $1 AND n = $2 AND kind = 'flip'`, [checkId, n])
}

/** Returns SQL for the number of the check's newest stored flip; null if it has none. @param check SQL for the check's id */
export const newestFlip = (check: string) => `(
  SELECT newest.n FROM events AS newest
  WHERE newest.check_id = ${check} AND newest.kind = 'flip'
    AND newest.n > COALESCE((SELECT MAX(n_events) FROM cleared_checks WHERE cleared_checks.check_id = ${check}), 0)
  ORDER BY newest.n DESC LIMIT 1
)`

export const PREVIOUS_FLIP = `
  SELECT * FROM events
  WHERE check_id = $1 AND n < $2 AND kind = 'flip'
    AND n > COALESCE((SELECT MAX(n_events) FROM cleared_checks WHERE check_id = $1), 0)
  ORDER BY n DESC LIMIT 1`

/** Finds the check's last flip before event `n`. */
export function findPreviousFlip(sql: Sql, checkId: string, n: number): Promise<Flip | null> {
  return FLIPS.get(sql, PREVIOUS_FLIP, [checkId, n])
}

export const LATER_FLIP = `SELECT 1 FROM events WHERE check_id = $1 AND n > $2 AND kind = 'flip' LIMIT 1`

/** Returns whether the check has no flip after event `n`. */
export async function isNewestFlip(sql: Sql, checkId: string, n: number): Promise<boolean> {
  return (await sql.get(LATER_FLIP, [checkId, n])) === null
}

// A check that was down when it was imported may have no incident.
const TOLD_DOWNS = `
  SELECT * FROM events WHERE check_id = $1 AND n <= $2 AND new_status = 'down' AND NOT EXISTS (
    SELECT 1 FROM incidents WHERE incidents.check_id = events.check_id AND incidents.n = events.n AND incidents.told IS NULL
  )
  ORDER BY n DESC LIMIT $3`

/** Finds the check's newest down flips that alerts were sent about, going back from the given flip. */
export function findToldDowns(sql: Sql, { checkId, n }: Pick<Flip, 'checkId' | 'n'>, limit: number): Promise<Flip[]> {
  return FLIPS.all(sql, TOLD_DOWNS, [checkId, n, limit])
}

const NEXT_LOOK = `SELECT MIN(alert_after) AS alert_after FROM checks WHERE alert_after > $1 AND ${SHOWN_CHECK}`
/** Earlier than any deadline, in microseconds. */
const BEFORE_ALL = -1

/** Returns when the loop should next look for overdue checks; null if no check has a deadline. @param after microseconds */
export async function nextLookAt(sql: Sql, after = BEFORE_ALL): Promise<Instant | null> {
  const row = await sql.get<{ alert_after: number | null }>(NEXT_LOOK, [after])
  return instantOrNull(row?.alert_after ?? null)
}

const DUE = `SELECT id FROM checks WHERE alert_after <= $1 AND ${SHOWN_CHECK} ORDER BY alert_after, id LIMIT $2`
const STILL_DUE = `
  SELECT ${[...WATCHED_COLUMNS, ...COUNTER_COLUMNS].join(', ')} FROM ${CHECKS}
  WHERE id IN (${KEYS}) AND alert_after <= $${KEYS_AT_ONCE + 1}`

async function claimOverdue(sql: Sql, now: Instant, limit: number, locked: LockedChecks): Promise<string[]> {
  const statement = locked === 'skip' ? sql.statements.claimOverdue : DUE
  const due = await sql.all<{ id: string }>(statement, [toMicroseconds(now), limit])
  const ids = due.map(({ id }) => id)
  if (locked === 'wait') await sql.lock('check', ids)
  return ids
}

/**
 * Applies `rules.judge` to at most `limit` checks whose `alertAfter` has passed. Concurrent calls never create the same flip twice.
 * @param locked `skip` by default. `nextLookAt` ignores skipped checks, so the caller must look again a second later
 */
export async function judgeOverdue(
  sql: Sql,
  now: Instant,
  rules: Rules,
  limit: number,
  locked: LockedChecks = 'skip',
): Promise<Changing<Overdue>> {
  const ids = await claimOverdue(sql, now, limit, locked)
  const found = await allOf<WatchedRow & CounterRow>(sql, STILL_DUE, ids, [toMicroseconds(now)])
  const due = new Map(found.map((row) => [row.id, row]))
  const flipped: FlippedCheck[] = []
  const touched = new Map<string, string[]>()
  const written = new Map<string, WatchedCheck>()
  const statuses: Value[][] = []
  const counted: CountedCheck[] = []
  for (const id of ids) {
    const row = due.get(id)
    if (!row) continue
    const before = toWatchedCheck(row, row)
    const judged = rules.judge(before, now)
    const check = judged?.check ?? before
    statuses.push([...statusValues(check, rules.alertAfter(check, null)), row.id])
    if (!judged) continue
    touch(touched, row.project_id, row.id)
    written.set(row.id, check)
    // A flip does not change any counters.
    if (!judged.flip) counted.push({ counterId: row.counter_id, check })
    else flipped.push({ flip: judged.flip, projectId: row.project_id, lastSuccessAt: check.lastSuccessAt })
  }
  const flips = flipped.map(({ flip }) => flip)
  await sql.runEach(UPDATE_STATUS, statuses)
  await writeCounters(sql, counted)
  const { owed, added } = await insertFlips(sql, flipped, rules)
  await lookSoon(
    sql,
    flips.map(({ checkId }) => checkId),
  )
  const stateOf = (checkId: string) => countingAdded(written.get(checkId), added)
  const changed = new Set(flips.map(({ checkId }) => checkId))
  const changes = { ...NO_CHANGES, touched, stateOf, flipped: changed, statuses: touched.size > 0 }
  // Skipped checks are still due, but another instance judges them. The next look is therefore at the first deadline after `now`.
  const isAllTaken = locked === 'skip' && ids.length < limit
  const next = await nextLookAt(sql, isAllTaken ? toMicroseconds(now) : BEFORE_ALL)
  return { result: { flips, owed, nextLookAt: next }, changes }
}
