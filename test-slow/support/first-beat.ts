import { Database } from 'bun:sqlite'
import { eventually } from './eventually.ts'

/**
 * Waits until a server on a new database has written that it lives, which it does with its first look for overdue checks.
 * What happens before that is no outage.
 * @param path of the database
 */
export async function firstBeat(path: string): Promise<void> {
  using database = new Database(path, { readonly: true })
  const beat = database.query("SELECT 1 FROM settings WHERE name = 'alive'")
  await eventually('the server notes that it lives', () => beat.get() !== null)
}
