/** Why checks are down: the flip that took each down, and the newest failure since. */
import { BODY_END_BYTES, type Failure, lastLine, type Trouble } from '../../domain/cause/trouble.ts'
import { fromMicroseconds } from '../../lib/time.ts'
import type { FlipRow } from '../checks/flips.ts'
import type { PingRow } from '../pings/log.ts'
import type { Sql } from '../sql/database.ts'

type DownFlip = Pick<FlipRow, 'created_at' | 'reason'>

export const LAST_DOWN = `
  SELECT created_at, reason FROM flips WHERE check_id = $1 AND new_status = 'down' ORDER BY n DESC LIMIT 1`

/** Starts and log entries may follow a failure, but only a few. */
const ENTRIES_SEARCHED = 20

type FailureRow = Pick<PingRow, 'n' | 'exit_status' | 'received_at' | 'content_type'> & {
  body_end: Uint8Array | null
  /** of the whole body; null without one */
  body_size: number | null
}

/**
 * Why checks are down, by id: their last flip to down, and the newest failure since.
 * @param ids of checks that are stored as down; one whose flip was removed is left out. Give few at a time
 */
export async function listTroubles(sql: Sql, ids: readonly string[]): Promise<ReadonlyMap<string, Trouble>> {
  const flips = await sql.getEach<DownFlip>(
    LAST_DOWN,
    ids.map((id) => [id]),
  )
  const known = ids.flatMap((id, index) => {
    const flip = flips[index]
    return flip ? [{ id, flip }] : []
  })
  const failures = await sql.getEach<FailureRow>(
    sql.statements.lastFailure,
    known.map(({ id, flip }) => [id, flip.created_at, ENTRIES_SEARCHED, BODY_END_BYTES]),
  )
  return new Map(known.map(({ id, flip }, index) => [id, toTrouble(flip, failures[index] ?? null)]))
}

function toTrouble(flip: DownFlip, failure: FailureRow | null): Trouble {
  return {
    since: fromMicroseconds(flip.created_at),
    reason: flip.reason,
    failure: failure && toFailure(failure),
  }
}

function toFailure(row: FailureRow): Failure {
  const bytes = row.body_end
  return {
    n: row.n,
    exitStatus: row.exit_status,
    lastLine: bytes && lastLine({ bytes, size: row.body_size ?? 0, contentType: row.content_type }),
    // For the few checks whose rules look into pings, `services/pings/failure-cause.ts` reads it.
    cause: null,
    receivedAt: fromMicroseconds(row.received_at),
  }
}
