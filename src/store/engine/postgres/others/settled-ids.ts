/** Finds the settled part of the log: see `Database.settledPings`. */

import type { Queries } from '../connection/session.ts'
import { IDS_AT_ONCE } from '../ping-tables.ts'

/** Selects the first id of the most recently reserved block. */
const RESERVED = 'SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS ids FROM ping_ids'
/**
 * Selects the transactions that are writing in this database. A transaction gets its transaction id before it reserves ping ids, and keeps
 * the lock on the transaction id until its writes are visible.
 */
const WRITING_TRANSACTIONS = `
  SELECT transactionid::text AS id FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE locktype = 'transactionid' AND mode = 'ExclusiveLock' AND granted
    AND datid = (SELECT oid FROM pg_database WHERE datname = current_database())`

export class SettledIds {
  #upTo = 0
  /** ids up to `upTo` are settled once the transactions in `writing` have ended */
  #candidate: { readonly upTo: number; readonly writing: ReadonlySet<string> } | null = null

  async upTo(sql: Queries): Promise<number> {
    // The order matters: the second statement finds every transaction that had reserved an id at the time of the first statement, unless
    // the transaction has ended.
    const [[reserved], rows] = await Promise.all([sql.query(RESERVED, []), sql.query(WRITING_TRANSACTIONS, [])])
    const upTo = Number(reserved?.ids) + IDS_AT_ONCE - 1
    const writing = new Set(rows.map(({ id }) => String(id)))
    const hasEnded = this.#candidate?.writing.isDisjointFrom(writing) ?? true
    if (writing.size === 0) this.#upTo = upTo
    else if (hasEnded) this.#upTo = this.#candidate?.upTo ?? this.#upTo
    if (hasEnded) this.#candidate = { upTo, writing }
    return this.#upTo
  }
}
