/**
 * Stores the words of pings in an inverted index (GIN). The index finds the entries that contain a word but does not store the order of the
 * words.
 */
import type { Phrase, WordPattern } from '../../../domain/search/query.ts'
import type { Sql, WordIndex } from '../../sql/database.ts'

const PUT = 'INSERT INTO ping_words (id, words) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET words = excluded.words'
const REMOVE = 'DELETE FROM ping_words WHERE id = $1'

// Compares the words of the newest entries until enough of them match. The expression is materialized because the planner would otherwise
// see the limit and scan the table from its end.
const FIND = `
  WITH found AS MATERIALIZED (
    SELECT id FROM ping_words WHERE array_to_tsvector(string_to_array(words, ' ')) @@ CAST($1::text AS tsquery)
  ), newest AS MATERIALIZED (
    SELECT id FROM found WHERE id > $2 AND id < $3 ORDER BY id DESC
  )
  SELECT id FROM newest WHERE (
    SELECT COALESCE(bool_and(' ' || words || ' ' LIKE ANY (string_to_array(one_of, '|'))), true)
    FROM ping_words, unnest(string_to_array($5::text, '&')) AS one_of WHERE ping_words.id = newest.id
  ) LIMIT $4`

export function createWordIndex(sql: Pick<Sql, 'all' | 'run'>): WordIndex {
  return {
    async put(id, words) {
      await sql.run(PUT, [id, words.join(' ')])
    },
    async remove(id) {
      await sql.run(REMOVE, [id])
    },
    async find(pattern, above, below, limit) {
      const rows = await sql.all<{ id: number }>(FIND, [queryOf(pattern), above, below, limit, orderOf(pattern)])
      return rows.map(({ id }) => id)
    },
    // Does nothing, because PostgreSQL vacuums automatically.
    async tidy() {
      return false
    },
  }
}

/** Returns the required words. Words contain only letters, digits and `§`, none of which is special in a `tsquery` or in LIKE. */
function queryOf(pattern: WordPattern): string {
  return pattern.map((phrases) => `(${phrases.map(wordsOf).join('|')})`).join('&')
}

function wordsOf({ words, isPrefix }: Phrase): string {
  return words.map((word, index) => `'${word}'${isPrefix && index === words.length - 1 ? ':*' : ''}`).join('&')
}

/**
 * Returns the required word order as LIKE patterns. For each term with several words (`&`), at least one of its patterns must match (`|`).
 */
function orderOf(pattern: WordPattern): string {
  return pattern
    .filter((phrases) => phrases.some(({ words }) => words.length > 1))
    .map((phrases) => phrases.map(likeOf).join('|'))
    .join('&')
}

function likeOf({ words, isPrefix }: Phrase): string {
  return `% ${words.join(' ')}${isPrefix ? '' : ' '}%`
}
