/** Helpers to write columns and to read rows. */
import { fromMicroseconds, type Instant, toMicroseconds } from '../lib/time.ts'

export function instantOrNull(microseconds: number | null): Instant | null {
  return microseconds === null ? null : fromMicroseconds(microseconds)
}

export function microsecondsOrNull(instant: Instant | null): number | null {
  return instant === null ? null : toMicroseconds(instant)
}

/** `"a" = $1, "b" = $2, …` */
export function assignments(columns: readonly string[]): string {
  return columns.map((column, index) => `"${column}" = $${index + 1}`).join(', ')
}

/** `$1, $2, …` */
export function placeholders(count: number): string {
  return Array.from({ length: count }, (_, index) => `$${index + 1}`).join(', ')
}

/** "desc" is a word of SQL. */
export function quoted(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(', ')
}
