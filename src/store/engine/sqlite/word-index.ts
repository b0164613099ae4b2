/** Stores the words of pings in SQLite's full-text index (FTS5). `schema.sql` describes the table and explains the design. */
import type { Phrase, WordPattern } from '../../../domain/search/query.ts'
import type { Sql, WordIndex } from '../../sql/database.ts'

const PUT = 'REPLACE INTO ping_words (rowid, words) VALUES ($1, $2)'
const REMOVE = 'DELETE FROM ping_words WHERE rowid = $1'
const FIND = `
  SELECT rowid AS id FROM ping_words WHERE ping_words MATCH $1 AND rowid > $2 AND rowid < $3 ORDER BY rowid DESC LIMIT $4`

/** Merges 16 pages, which takes about a millisecond. */
const MERGE = `INSERT INTO ping_words (ping_words, rank) VALUES ('merge', 16)`
const CHANGES = 'SELECT total_changes() AS changes'
/**
 * Minimum number of changes that a merge makes if it finds work. According to the FTS5 documentation, a merge that has nothing to do makes
 * fewer changes.
 */
const LEAST_CHANGES = 2

export function createWordIndex(sql: Pick<Sql, 'get' | 'all' | 'run'>): WordIndex {
  const changes = async () => (await sql.get<{ changes: number }>(CHANGES, []))?.changes ?? 0
  return {
    async put(id, words) {
      await sql.run(PUT, [id, words.join(' ')])
    },
    async remove(id) {
      await sql.run(REMOVE, [id])
    },
    async find(pattern, above, below, limit) {
      const rows = await sql.all<{ id: number }>(FIND, [matchOf(pattern), above, below, limit])
      return rows.map(({ id }) => id)
    },
    async tidy() {
      const before = await changes()
      await sql.run(MERGE, [])
      return (await changes()) - before >= LEAST_CHANGES
    },
  }
}

/** Returns a pattern in FTS5's query syntax. */
function matchOf(pattern: WordPattern): string {
  return pattern.map((phrases) => `(${phrases.map(phraseOf).join(' OR ')})`).join(' AND ')
}

/** Returns a phrase. Words contain no quotes. */
function phraseOf({ words, isPrefix }: Phrase): string {
  return `"${words.join(' ').replaceAll('"', '')}"${isPrefix ? ' *' : ''}`
}
