/** Commit durability: https://www.postgresql.org/docs/current/runtime-config-wal.html#GUC-SYNCHRONOUS-COMMIT */
import type { Durability } from '../../../sql/database.ts'
import type { Queries } from './session.ts'

const SETTINGS = `
  SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS synchronous_commit,
    current_setting('synchronous_standby_names') AS synchronous_standby_names`

interface DurabilitySettings {
  readonly fsync: string
  readonly synchronous_commit: string
  readonly synchronous_standby_names: string
}

/** Reads the durability of this connection's transactions. */
export async function readDurability(sql: Queries): Promise<Durability> {
  const [row] = await sql.query(SETTINGS, [])
  return durabilityOf({
    fsync: String(row?.fsync),
    synchronous_commit: String(row?.synchronous_commit),
    synchronous_standby_names: String(row?.synchronous_standby_names),
  })
}

/**
 * Returns where a commit is stored by the time PostgreSQL confirms it. The number of connected standbys does not matter, because a commit
 * waits until there are enough of them.
 */
export function durabilityOf(settings: DurabilitySettings): Durability {
  const { fsync, synchronous_commit: waitsFor, synchronous_standby_names: standbys } = settings
  if (fsync === 'off' || waitsFor === 'off') return 'memory'
  if (waitsFor === 'local' || standbys.trim() === '') return 'disk'
  return waitsFor === 'remote_write' ? 'standby-memory' : 'standby-disk'
}
