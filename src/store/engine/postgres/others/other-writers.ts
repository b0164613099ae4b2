/** Finds out what other processes have written since the last snapshot. */
import type { TouchedCheck, WritesOfOthers } from '../../../sql/database.ts'
import type { Queries } from '../connection/session.ts'
import { IDS_AT_ONCE } from '../ping-tables.ts'
import { SettledIds } from './settled-ids.ts'
import { WRITES_OF_OTHERS } from './writers.ts'

/** Maximum number of log entries to search for pinged checks. If there are more, rereading a list is just as fast. */
const ENTRIES_AT_MOST = 4_000
/** Finds the checks that were pinged, starting with the ping whose id is $1. */
const PINGED = `
  WITH entries AS MATERIALIZED (
    SELECT check_id FROM pings WHERE id >= $1 ORDER BY id LIMIT ${ENTRIES_AT_MOST + 1}
  ), pinged AS (SELECT check_id, SUM(COUNT(*)) OVER () AS entries FROM entries GROUP BY check_id)
  SELECT pinged.check_id AS "checkId", checks.project_id AS "projectId", pinged.entries
  FROM pinged LEFT JOIN checks ON checks.id = pinged.check_id`

interface Snapshot {
  readonly writes: string
  readonly edits: string
  /** first id of the newest batch of pings, by process */
  readonly batches: ReadonlyMap<string, number>
  /** see `Database.settledPings` */
  readonly settled: number
}

export class OtherWriters {
  readonly #processId: string
  #settled = new SettledIds()
  /** null if there is no earlier snapshot to compare with */
  #last: Snapshot | null = null
  /** number of times that the pinged checks could not be determined */
  #losses = 0

  constructor(processId: string) {
    this.#processId = processId
  }

  /**
   * Discards the last snapshot. Call this method after switching to a different server, which may lack some of the previous server's data,
   * and may assign the same ids again.
   */
  forget(): void {
    this.#settled = new SettledIds()
    this.#last = null
    this.#losses += 1
  }

  async read(sql: Queries): Promise<WritesOfOthers> {
    const [last, losses] = [this.#last, this.#losses]
    const snapshot = await this.#snapshot(sql)
    const first = last && firstNew(last, snapshot)
    const pinged = first === null ? null : await findPinged(sql, first)
    // The server may have been replaced in the meantime.
    if (losses === this.#losses) {
      this.#last = snapshot
      if (pinged === null) this.#losses += 1
    }
    return { writes: snapshot.writes, edits: `${snapshot.edits}.${this.#losses}`, pinged: pinged ?? [] }
  }

  async #snapshot(sql: Queries): Promise<Snapshot> {
    // The ids are read first, so that the second read sees all settled entries.
    const [settled, [row]] = await Promise.all([
      this.#settled.upTo(sql),
      sql.query(WRITES_OF_OTHERS, [this.#processId]),
    ])
    return {
      writes: String(row?.writes),
      edits: String(row?.edits),
      batches: new Map(Object.entries(JSON.parse(String(row?.pings)) as Record<string, number>)),
      settled,
    }
  }
}

/**
 * Returns the first id of other processes' pings that may have been committed between two snapshots; infinity if there are none. A process
 * commits its batches in the order of their ids, and settled batches already existed at the snapshot. New processes are left out, because
 * each has also recorded an edit.
 * @returns null if unknown
 */
function firstNew(last: Snapshot, snapshot: Snapshot): number | null {
  let first = Number.POSITIVE_INFINITY
  for (const [processId, known] of last.batches) {
    const newest = snapshot.batches.get(processId)
    if (newest === undefined || newest < known) return null
    if (newest > known) first = Math.min(first, known + IDS_AT_ONCE)
  }
  return Math.max(first, last.settled + 1)
}

/** @returns null if there are too many checks */
async function findPinged(sql: Queries, first: number): Promise<TouchedCheck[] | null> {
  if (first === Number.POSITIVE_INFINITY) return []
  const rows = await sql.query(PINGED, [first])
  if (Number(rows[0]?.entries ?? 0) > ENTRIES_AT_MOST) return null
  // An entry whose check has no project belongs to a deleted check.
  return rows.flatMap(({ checkId, projectId }) =>
    projectId === null ? [] : [{ checkId: String(checkId), projectId: String(projectId) }],
  )
}
