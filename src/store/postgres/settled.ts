/** How far the log is settled: see `Database.settledPings`. */
import { IDS_AT_ONCE } from './ping-tables.ts'
import type { Queries } from './session.ts'

/** The first id of the block that was reserved last. */
const RESERVED = 'SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS ids FROM ping_ids'
const UNDER_WAY = `
  SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS oldest,
    pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS next`

export class Settled {
  #upTo = 0
  /** Ids up to this are settled once all transactions before `next` have ended. */
  #candidate: { readonly upTo: number; readonly next: number } | null = null

  async upTo(sql: Queries): Promise<number> {
    // In this order: whoever has reserved an id until the first statement has a transaction id that the second one knows.
    const [[reserved], [underWay]] = await Promise.all([sql.query(RESERVED, []), sql.query(UNDER_WAY, [])])
    const oldest = Number(underWay?.oldest)
    const next = Number(underWay?.next)
    const upTo = Number(reserved?.ids) + IDS_AT_ONCE - 1
    if (oldest === next) this.#upTo = upTo
    else if (this.#candidate && oldest >= this.#candidate.next) this.#upTo = this.#candidate.upTo
    if (this.#candidate === null || oldest >= this.#candidate.next) this.#candidate = { upTo, next }
    return this.#upTo
  }
}
