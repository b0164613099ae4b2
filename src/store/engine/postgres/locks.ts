/** Implements the locks of `store/sql/database.ts` in PostgreSQL. They are released when the transaction ends. */
import type { Lock } from '../../sql/database.ts'

/**
 * Locks rows of `counters`, because a bulk change locks more checks than the server has room for advisory locks. Every write locks checks
 * in the same order. The checks' data must be read by a later statement, because this one would return the rows as they were before it
 * waited.
 */
export const LOCK_CHECKS = `
  SELECT counters.counter_id FROM unnest($1::text[]) AS wanted (id)
  JOIN checks ON checks.id = wanted.id JOIN counters ON counters.counter_id = checks.counter_id
  ORDER BY counters.counter_id FOR UPDATE OF counters`

/** Locks names one at a time, in the given order. */
export const LOCK_NAMES = `
  SELECT pg_advisory_xact_lock(hashtextextended(name, 0)) FROM unnest($1::text[]) AS name`

/** @returns the names in an order that is the same for all writes */
export function lockNames(what: Lock, keys: readonly string[]): string[] {
  return [...new Set(keys)].toSorted().map((key) => `overdue ${what} ${key}`)
}
