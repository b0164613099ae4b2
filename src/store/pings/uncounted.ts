/** Reads logged pings that did not count, and stores rejected requests. */
import { REFUSED_SECONDS, type RefusedSignals } from '../../domain/cause/refused.ts'
import { UNCOUNTED_READ, type UncountedPings } from '../../domain/cause/uncounted.ts'
import { addSeconds, fromMicroseconds, type Instant, toMicroseconds } from '../../lib/time.ts'
import type { NotedRefusal } from '../interface/pings.ts'
import { touch } from '../revisions/revisions.ts'
import { SHOWN_CHECK } from '../sql/check-rows.ts'
import type { Row } from '../sql/columns.ts'
import type { Sql } from '../sql/database.ts'
import { allOf } from '../sql/key-lists.ts'
import { KEYS, quoted } from '../sql/rows.ts'
import type { Steps } from '../sql/steps.ts'
import { REFUSED_SIGNALS } from '../tables/checks.ts'
import { namedChecks } from './pings.ts'

interface UncountedRow {
  by_keyword: number
  by_method: number
  by_pause: number
  logs: number
  others: number
  first_method: string | null
  last_method: string | null
  /** time of the last such ping; null if there is none */
  last_at: number | null
}

/**
 * Lists the pings after the last one that counted, up to `until`, by check. Leaves out checks without such pings.
 * @param ids only a few at a time
 */
export async function listUncounted(
  sql: Sql,
  ids: readonly string[],
  until: Instant,
): Promise<ReadonlyMap<string, UncountedPings>> {
  const values = [toMicroseconds(until), UNCOUNTED_READ]
  const rows = await sql.getEach<UncountedRow>(
    sql.statements.uncounted,
    ids.map((id) => [id, ...values]),
  )
  return new Map(
    ids.flatMap((id, index) => {
      const found = toUncounted(rows[index] ?? null)
      return found === null ? [] : [[id, found] as const]
    }),
  )
}

function toUncounted(row: UncountedRow | null): UncountedPings | null {
  if (row === null || row.last_at === null) return null
  return {
    counts: {
      'no-keyword': row.by_keyword,
      method: row.by_method,
      pause: row.by_pause,
      log: row.logs,
      unknown: row.others,
    },
    method: row.first_method === row.last_method ? row.first_method : null,
    lastAt: fromMicroseconds(row.last_at),
  }
}

const LIST_REFUSED = `SELECT * FROM refused_signals WHERE check_id IN (${KEYS})`

/** Lists the signals that were rejected in the day before `now`, by check. Leaves out checks without rejected signals. */
export async function listRefused(
  sql: Sql,
  ids: readonly string[],
  now: Instant,
): Promise<ReadonlyMap<string, RefusedSignals>> {
  const rows = (await allOf<Row>(sql, LIST_REFUSED, ids)).map(REFUSED_SIGNALS.read)
  const shown = rows.filter(({ lastAt }) => toMicroseconds(lastAt) > oldest(now))
  return new Map(shown.map(({ checkId, ...refused }) => [checkId, refused]))
}

/** Returns the time before which rejected requests are no longer shown. */
function oldest(now: Instant): number {
  return toMicroseconds(addSeconds(now, -REFUSED_SECONDS))
}

export interface RefusedOfCheck extends Omit<NotedRefusal, 'target'> {
  readonly checkId: string
  readonly projectId: string
}

const EXISTS = `SELECT id, project_id FROM checks WHERE id = $1 AND ${SHOWN_CHECK}`

/**
 * Finds the checks to which rejected signals were addressed. A signal to a slug that several checks share is returned once for each of
 * them.
 */
export async function findRefusedChecks(sql: Sql, noted: readonly NotedRefusal[]): Promise<RefusedOfCheck[]> {
  const named = await namedChecks(
    sql,
    noted.map(({ target }) => target),
  )
  const ofChecks = noted.flatMap(({ target: _, ...rest }, index) => (named[index] ?? []).map((id) => ({ ...rest, id })))
  const found = await sql.getEach<{ id: string; project_id: string }>(
    EXISTS,
    ofChecks.map(({ id }) => [id]),
  )
  return ofChecks.flatMap(({ id, ...rest }, index) => {
    const check = found[index]
    return check ? [{ ...rest, checkId: id, projectId: check.project_id }] : []
  })
}

/** Returns the ids of the checks, keyed by project id. */
export function touchedBy(refused: readonly RefusedOfCheck[]): ReadonlyMap<string, readonly string[]> {
  const touched = new Map<string, string[]>()
  for (const { projectId, checkId } of refused) touch(touched, projectId, checkId)
  return touched
}

// Restarts the count if the row is more than a day old. Writes nothing if the check was deleted.
const ADD = `
  INSERT INTO refused_signals (${quoted(REFUSED_SIGNALS.written)}) SELECT id, $2, $3, $4 FROM checks WHERE id = $1
  ON CONFLICT (check_id) DO UPDATE SET
    n = excluded.n + CASE WHEN refused_signals.last_at <= $5 THEN 0 ELSE refused_signals.n END,
    last_tail = CASE WHEN refused_signals.last_at > $4 THEN refused_signals.last_tail ELSE excluded.last_tail END,
    last_at = CASE WHEN refused_signals.last_at > $4 THEN refused_signals.last_at ELSE excluded.last_at END`

export async function addRefused(sql: Sql, refused: readonly RefusedOfCheck[], now: Instant): Promise<void> {
  await sql.lock(
    'check',
    refused.map(({ checkId }) => checkId),
  )
  await sql.runEach(
    ADD,
    refused.map((signals) => [...REFUSED_SIGNALS.values(signals), oldest(now)]),
  )
}

const REMOVED_AT_ONCE = 500

/** Removes some rejected requests that are no longer shown. */
export async function removeOldRefused(steps: Steps, now: Instant): Promise<void> {
  const statement = 'SELECT check_id FROM refused_signals WHERE last_at <= $1 ORDER BY last_at LIMIT $2'
  const rows = await steps.read((sql) => sql.all<{ check_id: string }>(statement, [oldest(now), REMOVED_AT_ONCE]))
  await steps.runEach(
    'DELETE FROM refused_signals WHERE check_id = $1 AND last_at <= $2',
    rows.map(({ check_id }) => [check_id, oldest(now)]),
  )
}
