/**
 * Formats the notices that a process sends to other processes. A notice contains the process's id, and the ids of some checks that have
 * changed.
 */
import type { TouchedCheck } from '../../../sql/database.ts'

export const CHANNEL = 'overdue'

/**
 * Sends a notice: $1 is the process, $2 the ids of checks. It is sent outside of transactions that write, because PostgreSQL makes
 * notifying transactions wait for each other. Anyone who may connect to the database can receive a notice, so it contains public ids, which
 * give no access to the checks.
 */
export const NOTIFY = `
  SELECT pg_notify('${CHANNEL}', concat_ws(' ', $1::text, (
    SELECT string_agg(public_id, ' ') FROM unnest($2::text[]) AS told (id) JOIN checks ON checks.id = told.id
  )))`
/** Finds the checks with the public ids $1. */
export const FIND_CHANGED = `
  SELECT id AS "checkId", project_id AS "projectId"
  FROM unnest($1::text[]) AS told (public_id) JOIN checks ON checks.public_id = told.public_id`

/**
 * Maximum number of checks in a notice, whose payload must be shorter than 8000 bytes. Processes that receive a notice also search for
 * other changes.
 */
const CHECKS_AT_MOST = 100

interface Notice {
  /** id of the process that sends the notice */
  readonly from: string
  readonly publicIds: readonly string[]
}

/** Collects the checks for the next notice. */
export class NextNotice {
  readonly #ids = new Set<string>()

  add(changed: readonly TouchedCheck[]): void {
    for (const { checkId } of changed) {
      if (this.#ids.size >= CHECKS_AT_MOST) return
      this.#ids.add(checkId)
    }
  }

  /** Returns the ids of the collected checks, and clears the collection. */
  take(): string[] {
    const ids = [...this.#ids]
    this.#ids.clear()
    return ids
  }
}

export function readNotice(payload: string): Notice {
  const [from = '', ...publicIds] = payload.split(' ')
  return { from, publicIds }
}
