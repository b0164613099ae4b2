/** Stores the server's own settings and its heartbeats. */
import type { Audited } from '../../domain/audit/audit.ts'
import { addSeconds, fromMicroseconds, type Instant, isBefore, toMicroseconds } from '../../lib/time.ts'
import type { AuditTrail } from '../audit.ts'
import type { Outage } from '../interface/upkeep.ts'
import type { Sql } from '../sql/database.ts'

/**
 * Stores `value`, unless the setting already has a value. Two processes may call this function at the same time.
 * @returns the stored value
 */
export async function getOrCreateSetting(sql: Sql, name: string, value: string): Promise<string> {
  await sql.run('INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING', [name, value])
  return (await findSetting(sql, name)) ?? value
}

export async function findSetting(sql: Sql, name: string): Promise<string | null> {
  const row = await sql.get<{ value: string }>('SELECT value FROM settings WHERE name = $1', [name])
  return row?.value ?? null
}

/** A change to a setting that may be a secret. The caller decides what the audit log shows of it. */
interface SettingChange {
  /** value that was read before the change; null if the setting did not exist */
  readonly from: string | null
  /** null to remove the setting */
  readonly to: string | null
  readonly before: Audited | null
  readonly after: Audited | null
}

/** Changes a setting, unless it was changed after it was read. @returns whether it was changed */
export async function replaceSetting(
  sql: Sql,
  trail: AuditTrail,
  name: string,
  { from, to, before, after }: SettingChange,
): Promise<boolean> {
  await sql.lock('setting', [name])
  if ((await findSetting(sql, name)) !== from) return false
  if (to === null) await sql.run('DELETE FROM settings WHERE name = $1', [name])
  else await writeSetting(sql, name, to)
  await trail.note(before, after)
  return true
}

const ALIVE = 'alive'
const OUTAGE = 'outage'
const WRITABLE = 'writable'

/** Returns when any server last sent a heartbeat; null if none ever did. */
export async function findAlive(sql: Sql): Promise<Instant | null> {
  const microseconds = await findSetting(sql, ALIVE)
  return microseconds === null ? null : fromMicroseconds(Number(microseconds))
}

/** Number of seconds by which a stored heartbeat may be later than the new one. A larger difference means that the clock was set back. */
const LATER_SECONDS = 60

/**
 * Records a server's heartbeat. If the stored time is later, it is kept, because another instance may have written it after this one read
 * the clock.
 */
export async function recordAlive(sql: Sql, at: Instant, outage?: Outage): Promise<void> {
  await sql.lock('setting', [ALIVE])
  const known = await findAlive(sql)
  const isLater = known !== null && isBefore(at, known) && !isBefore(addSeconds(at, LATER_SECONDS), known)
  if (!isLater) await writeInstant(sql, ALIVE, at)
  if (outage) await writeSetting(sql, OUTAGE, `${toMicroseconds(outage.from)} ${toMicroseconds(outage.until)}`)
}

/** Returns the last outage; null if none is known. */
export async function findOutage(sql: Sql): Promise<Outage | null> {
  const [from, until] = (await findSetting(sql, OUTAGE))?.split(' ') ?? []
  return from && until ? { from: fromMicroseconds(Number(from)), until: fromMicroseconds(Number(until)) } : null
}

/** Reads from a table, because SQLite answers other queries without accessing the file. @throws Refusal `unavailable` if the read fails */
export async function probe(sql: Sql): Promise<void> {
  await sql.get('SELECT value FROM settings LIMIT 1', [])
}

/** Writes a row and syncs it to disk. @throws Refusal `unavailable` if the write fails */
export async function probeWrite(sql: Sql, at: Instant): Promise<void> {
  await writeInstant(sql, WRITABLE, at)
}

function writeInstant(sql: Sql, name: string, at: Instant): Promise<void> {
  return writeSetting(sql, name, String(toMicroseconds(at)))
}

export async function writeSetting(sql: Sql, name: string, value: string): Promise<void> {
  await sql.run(
    'INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    [name, value],
  )
}
