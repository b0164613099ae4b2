/** Stores the columns of a check that change with every ping. `pings.ts` writes them in batches. */
import type { WatchedCheck } from '../../domain/check/check.ts'
import { COUNTER_COLUMNS, counterValues } from '../sql/check-rows.ts'
import type { Sql } from '../sql/database.ts'
import { assignments, placeholders } from '../sql/rows.ts'

const NEWEST = 'SELECT MAX(counter_id) AS counter_id FROM counters'
const INSERT = `
  INSERT INTO counters (${COUNTER_COLUMNS.join(', ')}, counter_id) VALUES (${placeholders(COUNTER_COLUMNS.length + 1)})`

/** Returns the first free `counter_id`. All higher ids are free too. */
export async function freeCounterId(sql: Sql): Promise<number> {
  await sql.lock('counter ids')
  const newest = await sql.get<{ counter_id: number | null }>(NEWEST, [])
  return (newest?.counter_id ?? 0) + 1
}

/** Inserts a check's counters. @returns the `counter_id` for the check, which the caller must insert next */
export async function insertCounters(sql: Sql, check: WatchedCheck): Promise<number> {
  const counterId = await freeCounterId(sql)
  await sql.run(INSERT, [...counterValues(check), counterId])
  return counterId
}

const UPDATE = `
  UPDATE counters SET ${assignments(COUNTER_COLUMNS)} WHERE counter_id = $${COUNTER_COLUMNS.length + 1}`

export interface CountedCheck {
  readonly counterId: number
  readonly check: WatchedCheck
}

export async function writeCounters(sql: Sql, checks: readonly CountedCheck[]): Promise<void> {
  await sql.runEach(
    UPDATE,
    checks.map(({ counterId, check }) => [...counterValues(check), counterId]),
  )
}
