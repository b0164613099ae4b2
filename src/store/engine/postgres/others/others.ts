/** What other processes have written since this one looked last. */
import type { ToldCheck, WritesOfOthers } from '../../../sql/database.ts'
import type { Queries } from '../connection/session.ts'
import { IDS_AT_ONCE } from '../ping-tables.ts'
import { Settled } from './settled.ts'
import { WRITES_OF_OTHERS } from './writers.ts'

/** Of the log. To find the checks of more of them takes as long as to read a list again. */
const ENTRIES_AT_MOST = 4_000
/** $1 the first id that counts */
const PINGED = `
  WITH entries AS MATERIALIZED (
    SELECT check_id FROM pings WHERE id >= $1 ORDER BY id LIMIT ${ENTRIES_AT_MOST + 1}
  ), pinged AS (SELECT check_id, SUM(COUNT(*)) OVER () AS entries FROM entries GROUP BY check_id)
  SELECT pinged.check_id AS "checkId", checks.project_id AS "projectId", pinged.entries
  FROM pinged LEFT JOIN checks ON checks.id = pinged.check_id`

interface Look {
  readonly writes: string
  readonly edits: string
  /** by process, the first id of its newest batch of pings */
  readonly batches: ReadonlyMap<string, number>
  /** see `Database.settledPings` */
  readonly settled: number
}

export class Others {
  readonly #processId: string
  #settled = new Settled()
  /** null when there is nothing that a look can be compared with */
  #last: Look | null = null
  /** how often it could not be told which checks were pinged */
  #losses = 0

  constructor(processId: string) {
    this.#processId = processId
  }

  /** Another server answers from now on. It may lack what the one before had, and give the same ids again. */
  forget(): void {
    this.#settled = new Settled()
    this.#last = null
    this.#losses += 1
  }

  async read(sql: Queries): Promise<WritesOfOthers> {
    const [last, losses] = [this.#last, this.#losses]
    const look = await this.#look(sql)
    const first = last && firstNew(last, look)
    const pinged = first === null ? null : await findPinged(sql, first)
    // While it asked, another server may have taken over.
    if (losses === this.#losses) {
      this.#last = look
      if (pinged === null) this.#losses += 1
    }
    return { writes: look.writes, edits: `${look.edits}.${this.#losses}`, pinged: pinged ?? [] }
  }

  async #look(sql: Queries): Promise<Look> {
    // In this order, so that what is read sees all entries that are settled.
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
 * The first id that pings of others may have that were committed between two looks; infinity if there are none. A process commits its
 * batches in the order of their ids, and what is settled was there at the look.
 * @returns null if that is not known. A process that is new has noted an edit, too
 */
function firstNew(last: Look, look: Look): number | null {
  let first = Number.POSITIVE_INFINITY
  for (const [processId, known] of last.batches) {
    const newest = look.batches.get(processId)
    if (newest === undefined || newest < known) return null
    if (newest > known) first = Math.min(first, known + IDS_AT_ONCE)
  }
  return Math.max(first, last.settled + 1)
}

/** @returns null if they are too many */
async function findPinged(sql: Queries, first: number): Promise<ToldCheck[] | null> {
  if (first === Number.POSITIVE_INFINITY) return []
  const rows = await sql.query(PINGED, [first])
  if (Number(rows[0]?.entries ?? 0) > ENTRIES_AT_MOST) return null
  // Without a project, it was deleted.
  return rows.flatMap(({ checkId, projectId }) =>
    projectId === null ? [] : [{ checkId: String(checkId), projectId: String(projectId) }],
  )
}
