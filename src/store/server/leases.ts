/** Leases for work that only one instance does at a time. If an instance is killed, another instance takes over when the lease ends. */
import { toMicroseconds } from '../../lib/time.ts'
import type { LeaseAnswer } from '../interface/instances.ts'
import type { Sql } from '../sql/database.ts'
import { readClock } from './clock.ts'

const MICROSECONDS = 1_000_000

const FIND = 'SELECT holder, ends_at FROM leases WHERE name = $1'
const TAKE = `
  INSERT INTO leases (name, holder, ends_at) VALUES ($1, $2, $3)
  ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, ends_at = excluded.ends_at
  WHERE leases.holder = excluded.holder OR leases.ends_at <= $4`

/**
 * Takes or renews the lease unless another instance has it. All instances use the database's clock.
 * @param holder id of the instance
 */
export async function takeLease(sql: Sql, name: string, holder: string, seconds: number): Promise<LeaseAnswer> {
  const now = toMicroseconds(await readClock(sql))
  // If this instance cannot get the lease, nothing is written.
  const found = await sql.get<{ holder: string; ends_at: number }>(FIND, [name])
  if (found !== null && found.holder !== holder && found.ends_at > now) {
    return { isHolder: false, seconds: (found.ends_at - now) / MICROSECONDS }
  }
  const endsAt = now + Math.round(seconds * MICROSECONDS)
  const taken = await sql.run(TAKE, [name, holder, endsAt, now])
  // Another instance got the lease first, with the same end time.
  return { isHolder: taken === 1, seconds }
}

export async function endLeases(sql: Sql, holder: string): Promise<void> {
  await sql.run('DELETE FROM leases WHERE holder = $1', [holder])
}
