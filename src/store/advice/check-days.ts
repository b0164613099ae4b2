/** Stores how many runs each check had on each day. */
import { addedDay, type DayRuns } from '../../domain/run/day-runs.ts'
import type { Sql } from '../sql/database.ts'
import { fromExcluded, quoted } from '../sql/rows.ts'
import { CHECK_DAYS } from '../tables/checks.ts'

const FIND = 'SELECT * FROM check_days WHERE check_id = $1 AND day = $2'
const WRITE = `
  INSERT INTO check_days (${quoted(CHECK_DAYS.written)}) VALUES (${CHECK_DAYS.parameters})
  ON CONFLICT (check_id, day) DO UPDATE SET
    ${fromExcluded(CHECK_DAYS.written.filter((column) => !CHECK_DAYS.key.includes(column)))}`

/** Adds runs to the check's days. The caller must have locked the check. */
export async function addDays(sql: Sql, checkId: string, days: readonly DayRuns[]): Promise<void> {
  const stored = await CHECK_DAYS.getEach(
    sql,
    FIND,
    days.map(({ day }) => [checkId, day]),
  )
  const rows = days.map((more, index) => {
    const counted = stored[index]
    return CHECK_DAYS.values({ ...(counted ? addedDay(counted, more) : more), checkId })
  })
  await sql.runEach(WRITE, rows)
}

const FORGET = 'DELETE FROM check_days WHERE check_id = $1 AND day < $2'

/** Removes the days before `oldestDay`. */
export async function forgetDays(sql: Sql, checkId: string, oldestDay: string): Promise<void> {
  await sql.run(FORGET, [checkId, oldestDay])
}

const LIST = 'SELECT * FROM check_days WHERE check_id = $1 AND day >= $2 ORDER BY day'

/**
 * Lists each check's days, oldest first, by check id. Leaves out days on which there were neither pings nor missed runs, and checks that
 * have no other days.
 * @param ids only a few at a time
 * @param since for example `2026-05-12`
 */
export async function listDays(
  sql: Sql,
  ids: readonly string[],
  since: string,
): Promise<ReadonlyMap<string, readonly DayRuns[]>> {
  const found = new Map<string, readonly DayRuns[]>()
  for (const id of ids) {
    const days = await CHECK_DAYS.all(sql, LIST, [id, since])
    if (days.length > 0)
      found.set(
        id,
        days.map(({ checkId: _, ...day }) => day),
      )
  }
  return found
}
