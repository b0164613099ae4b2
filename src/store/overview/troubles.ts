/** Finds the reasons why checks are down: the flip that took each check down, and the check's newest failure after that flip. */
import { BODY_END_BYTES, type Failure, lastLine, type Trouble } from '../../domain/cause/trouble.ts'
import { happenedAt } from '../../domain/ping/occurred-at.ts'
import { toMicroseconds } from '../../lib/time.ts'
import { blob, columns, instant, named, number, orNull, text, word } from '../sql/columns.ts'
import type { Sql } from '../sql/database.ts'

const DOWN_FLIP = columns<Pick<Trouble, 'since' | 'reason'>>({ since: named('created_at', instant), reason: word() })

export const LAST_DOWN = `
  SELECT created_at, reason FROM events WHERE check_id = $1 AND new_status = 'down' ORDER BY n DESC LIMIT 1`

/** Number of log entries to search. A few are enough, because usually only a few start and log pings follow a failure. */
const ENTRIES_SEARCHED = 20

const FAILURE = columns({
  n: number,
  exitStatus: orNull(number),
  receivedAt: instant,
  occurredAt: orNull(instant),
  contentType: orNull(text),
  bodyEnd: orNull(blob),
  /** size of the complete body in bytes; null if there is none */
  bodySize: orNull(number),
})

/**
 * Returns why checks are down, keyed by check id: the last flip to down, and the newest failure after it.
 * @param ids ids of checks that are stored as down; pass only a few at a time. A check whose flip was removed is left out of the result
 */
export async function listTroubles(sql: Sql, ids: readonly string[]): Promise<ReadonlyMap<string, Trouble>> {
  const flips = await DOWN_FLIP.getEach(
    sql,
    LAST_DOWN,
    ids.map((id) => [id]),
  )
  const known = ids.flatMap((id, index) => {
    const flip = flips[index]
    return flip ? [{ id, flip }] : []
  })
  const failures = await FAILURE.getEach(
    sql,
    sql.statements.lastFailure,
    known.map(({ id, flip }) => [id, toMicroseconds(flip.since), ENTRIES_SEARCHED, BODY_END_BYTES]),
  )
  return new Map(
    known.map(({ id, flip }, index) => {
      const failure = failures[index]
      return [id, { ...flip, failure: failure ? toFailure(failure) : null }]
    }),
  )
}

function toFailure(found: ReturnType<typeof FAILURE.read>): Failure {
  const { n, exitStatus, contentType, bodyEnd, bodySize } = found
  return {
    n,
    exitStatus,
    lastLine: bodyEnd && lastLine({ bytes: bodyEnd, size: bodySize ?? 0, contentType }),
    // `services/pings/failure-cause.ts` adds the cause for the few checks whose rules examine pings.
    cause: null,
    happenedAt: happenedAt(found),
  }
}
