/** Reads the database's clock, which all instances share. */
import { fromMicroseconds, type Instant } from '../../lib/time.ts'
import type { Sql } from '../sql/database.ts'

/** Reads the clock of the machine on which the database runs. */
export async function readClock(sql: Sql): Promise<Instant> {
  const row = await sql.get<{ now: number }>(sql.statements.clock, [])
  if (!row) throw new Error('the database has not returned its time')
  return fromMicroseconds(row.now)
}
