/** Flips and what they owe: one transaction, always. */
import type { Delivery } from '../domain/delivery.ts'
import { type Flip, type FlipFilter, isNews } from '../domain/flip.ts'
import { type Instant, toMicroseconds } from '../domain/time.ts'
import { listUsableChannels } from './channels.ts'
import { writeCounters } from './counters.ts'
import type { Sql } from './database.ts'
import { moveReminders } from './mailing-dates.ts'
import { toPage } from './pages.ts'
import { type Changing, NO_CHANGES, touch } from './revisions.ts'
import {
  assignments,
  CHECKS,
  type CheckRow,
  type FlipRow,
  instantOrNull,
  toFlip,
  toWatchedCheck,
  VERDICT_COLUMNS,
  verdictValues,
} from './rows.ts'
import type { Steps } from './steps.ts'
import type { Overdue, Page, PageMark, Rules } from './store.ts'

const INSERT = `
  INSERT INTO flips (check_id, n, created_at, old_status, new_status, reason) VALUES ($1, $2, $3, $4, $5, $6)`

/**
 * Writes flips together with the deliveries they owe, and starts or ends reminders; the checks are written already.
 * @returns true when anything is owed
 */
export async function insertFlips(sql: Sql, flips: readonly Flip[], rules: Rules): Promise<boolean> {
  if (flips.length === 0) return false
  await sql.runEach(
    INSERT,
    flips.map((f) => [f.checkId, f.n, toMicroseconds(f.createdAt), f.oldStatus, f.newStatus, f.reason]),
  )
  let owed = false
  for (const flip of flips) {
    if (!isNews(flip)) continue
    const deliveries = rules.owe(flip, await listUsableChannels(sql, flip.checkId))
    await insertDeliveries(sql, deliveries)
    owed ||= deliveries.length > 0
  }
  await moveReminders(sql, flips, rules.now())
  return owed
}

// A delivery behind an earlier one of its check and channel has no time of its own until that one has ended.
const INSERT_DELIVERY = `
  INSERT INTO deliveries (id, check_id, flip_n, channel_id, state, attempts, created_at, next_attempt_at)
  SELECT $1, $2, $3, $4, $5, $6, $7, CASE WHEN EXISTS (
    SELECT 1 FROM deliveries WHERE check_id = $2 AND channel_id = $4 AND state = 'pending'
  ) THEN NULL ELSE $7 END`

async function insertDeliveries(sql: Sql, deliveries: readonly Delivery[]): Promise<void> {
  await sql.runEach(
    INSERT_DELIVERY,
    deliveries.map((d) => [d.id, d.checkId, d.flipN, d.channelId, d.state, d.attempts, toMicroseconds(d.createdAt)]),
  )
}

const FLIPS_PER_PAGE = 1_000
// Those of a deleted check may be there for a while.
const LIST = `
  SELECT * FROM flips
  WHERE check_id = $1 AND created_at >= $2 AND created_at < $3 AND n < $4
    AND EXISTS (SELECT 1 FROM checks WHERE id = $1)
  ORDER BY n DESC LIMIT ${FLIPS_PER_PAGE}`

export async function listFlips(
  sql: Sql,
  checkId: string,
  filter: FlipFilter,
  after: PageMark | null,
): Promise<Page<Flip>> {
  const from = filter.from ? toMicroseconds(filter.from) : 0
  const until = filter.until ? toMicroseconds(filter.until) : Number.MAX_SAFE_INTEGER
  const rows = await sql.all<FlipRow>(LIST, [checkId, from, until, after ?? Number.MAX_SAFE_INTEGER])
  return toPage(rows, FLIPS_PER_PAGE, rows.map(toFlip), (row) => row.n)
}

export async function findFlip(sql: Sql, checkId: string, n: number): Promise<Flip | null> {
  const row = await sql.get<FlipRow>('SELECT * FROM flips WHERE check_id = $1 AND n = $2', [checkId, n])
  return row && toFlip(row)
}

const NEXT_LOOK = 'SELECT MIN(alert_after) AS alert_after FROM checks WHERE alert_after IS NOT NULL'

export async function nextLookAt(sql: Sql): Promise<Instant | null> {
  const row = await sql.get<{ alert_after: number | null }>(NEXT_LOOK, [])
  return instantOrNull(row?.alert_after ?? null)
}

const DUE = `SELECT * FROM ${CHECKS} WHERE alert_after <= $1 ORDER BY alert_after LIMIT $2`
// The condition makes each flip a claim: whoever changes the row first has made it.
const CLAIM = `
  UPDATE checks SET ${assignments(VERDICT_COLUMNS)}
  WHERE id = $4 AND n_flips = $5 AND $6 = (SELECT n_pings FROM counters WHERE counter_id = $7)`

export async function judgeOverdue(sql: Sql, now: Instant, rules: Rules, limit: number): Promise<Changing<Overdue>> {
  const due = await sql.all<CheckRow>(DUE, [toMicroseconds(now), limit])
  const flips: Flip[] = []
  const touched = new Map<string, string[]>()
  for (const row of due) {
    const before = toWatchedCheck(row, row)
    const judged = rules.judge(before, now)
    const check = judged?.check ?? before
    const verdict = verdictValues(check, rules.alertAfter(check, null))
    const claimed = await sql.run(CLAIM, [...verdict, row.id, row.n_flips, row.n_pings, row.counter_id])
    if (claimed === 0) continue
    if (check !== before) {
      await writeCounters(sql, row.counter_id, check)
      touch(touched, row.project_id, row.id)
    }
    if (judged?.flip) flips.push(judged.flip)
  }
  const owed = await insertFlips(sql, flips, rules)
  const changes = { ...NO_CHANGES, touched, statuses: touched.size > 0 }
  return { result: { flips, owed, nextLookAt: await nextLookAt(sql) }, changes }
}

// A flip is dated to its deadline, which may lie far back: what it owes is delivered first, whatever its age.
const FORGETTABLE = `
  SELECT check_id, n FROM flips
  WHERE created_at < $1 AND NOT EXISTS (
    SELECT 1 FROM deliveries
    WHERE deliveries.check_id = flips.check_id AND deliveries.flip_n = flips.n AND deliveries.state = 'pending'
  )
  ORDER BY created_at LIMIT $2`

/** Forgets flips made before `before`, with the record of their deliveries. @returns how many */
export async function deleteFlips(steps: Steps, before: Instant, limit: number): Promise<number> {
  const values = [toMicroseconds(before), limit]
  const old = await steps.read((sql) => sql.all<{ check_id: string; n: number }>(FORGETTABLE, values))
  await steps.runEach(
    'DELETE FROM flips WHERE check_id = $1 AND n = $2',
    old.map((flip) => [flip.check_id, flip.n]),
  )
  return old.length
}
