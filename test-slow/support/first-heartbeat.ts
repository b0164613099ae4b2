import { Database } from 'bun:sqlite'
import { eventually } from './eventually.ts'

/**
 * Waits until a server on a new database has written its first heartbeat, which it does at its first search for overdue checks. Time before
 * that does not count as an outage.
 * @param path of the database
 */
export async function firstHeartbeat(path: string): Promise<void> {
  using database = new Database(path, { readonly: true })
  const heartbeat = database.query("SELECT 1 FROM settings WHERE name = 'alive'")
  await eventually('the server writes its heartbeat', () => heartbeat.get() !== null)
}
