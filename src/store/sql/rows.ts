/** Helpers for writing columns and reading rows. */
import { fromMicroseconds, type Instant, toMicroseconds } from '../../lib/time.ts'

export function instantOrNull(microseconds: number | null): Instant | null {
  return microseconds === null ? null : fromMicroseconds(microseconds)
}

export function microsecondsOrNull(instant: Instant | null): number | null {
  return instant === null ? null : toMicroseconds(instant)
}

/** Returns `"a" = $1, "b" = $2, …`. */
export function assignments(columns: readonly string[]): string {
  return columns.map((column, index) => `"${column}" = $${index + 1}`).join(', ')
}

/** Returns `"a" = excluded."a", …` for `ON CONFLICT … DO UPDATE SET`. */
export function fromExcluded(columns: readonly string[]): string {
  return columns.map((column) => `"${column}" = excluded."${column}"`).join(', ')
}

/** Returns `$1, $2, …`. */
export function placeholders(count: number): string {
  return Array.from({ length: count }, (_, index) => `$${index + 1}`).join(', ')
}

/** Number of keys in a statement that uses `key-lists.ts`. */
export const KEYS_AT_ONCE = 50
/** `$1, $2, …`: placeholders for these keys */
export const KEYS = placeholders(KEYS_AT_ONCE)
/** `($1), ($2), …`: a table of the keys, with the column `column1`. The cast declares the keys' type for PostgreSQL. */
export const KEY_ROWS = Array.from({ length: KEYS_AT_ONCE }, (_, index) => `(CAST($${index + 1} AS TEXT))`).join(', ')

/** Returns the names in quotes, because "desc" is an SQL keyword. */
export function quoted(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(', ')
}
