/** The notices of one process to others: its id, and some of the checks that have changed. */
import type { TouchedCheck } from '../../../sql/database.ts'

export const CHANNEL = 'overdue'

/**
 * $1 process, $2 ids of checks. Sent outside of transactions that write: PostgreSQL lets notifying transactions wait for each other. Anyone
 * who may connect to the database can receive it, so it names checks by their public ids, which give no access.
 */
export const NOTIFY = `
  SELECT pg_notify('${CHANNEL}', concat_ws(' ', $1::text, (
    SELECT string_agg(public_id, ' ') FROM unnest($2::text[]) AS told (id) JOIN checks ON checks.id = told.id
  )))`
/** $1 public ids */
export const FIND_CHANGED = `
  SELECT id AS "checkId", project_id AS "projectId"
  FROM unnest($1::text[]) AS told (public_id) JOIN checks ON checks.public_id = told.public_id`

/** Most checks in a notice, whose payload has less than 8000 bytes. Receivers of a notice search for all changes, too. */
const CHECKS_AT_MOST = 100

interface Notice {
  /** the process that sends it */
  readonly from: string
  readonly publicIds: readonly string[]
}

/** Collects the checks of the next notice. */
export class NextNotice {
  readonly #ids = new Set<string>()

  add(changed: readonly TouchedCheck[]): void {
    for (const { checkId } of changed) {
      if (this.#ids.size >= CHECKS_AT_MOST) return
      this.#ids.add(checkId)
    }
  }

  /** Returns the ids of the collected checks, and forgets them. */
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
