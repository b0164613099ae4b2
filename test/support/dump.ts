/** Fingerprint of all rows of a database, to test whether something has changed it. */
import { createHash } from 'node:crypto'
import { COPIED } from '../../src/store/copy/tables.ts'
import { openUrl } from './open-url.ts'

/**
 * Returns a hash of the rows of each table, by its name; without the rows that a running server writes about itself.
 * @param url as in DATABASE_URL; others may use the database
 */
export async function dumpOf(url: string): Promise<Readonly<Record<string, string>>> {
  const database = await openUrl(url)
  try {
    return await database.read(async (sql) => {
      const hashes: Record<string, string> = {}
      for (const { name, columns, key } of COPIED) {
        if (name === 'settings') continue
        const rows = await sql.all(`SELECT ${quoted(columns)} FROM ${name} ORDER BY ${quoted(key)}`, [])
        const text = JSON.stringify(rows, (_, value) => (value instanceof Uint8Array ? value.toBase64() : value))
        hashes[name] = `${rows.length} rows ${createHash('sha256').update(text).digest('hex').slice(0, 12)}`
      }
      return hashes
    })
  } finally {
    await database.close()
  }
}

/** Quotes names, because some are words of SQL. */
function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ')
}
