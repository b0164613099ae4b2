/** Writes that wait for others on PostgreSQL. */
import type { Database } from '../../../src/store/sql/database.ts'

const WAITING = `
  SELECT COUNT(*) AS writes FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`

export async function untilSomebodyWaits(database: Database): Promise<void> {
  const isSo = () => database.read(async (sql) => (await sql.get<{ writes: number }>(WAITING, []))?.writes === 1)
  while (!(await isSo())) await Bun.sleep(1)
}
