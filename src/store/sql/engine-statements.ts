/**
 * Statements that each engine writes in its own way, because it stores the log in its own way, or because claims are faster that way. For
 * the same values all engines return the same rows.
 *
 * A check's log ends at its newest ping, and begins after the last one before it was cleared. A check that does not exist has none.
 */
import { SHOWN_CHECK } from './check-rows.ts'
import { KEY_ROWS } from './rows.ts'

export const NUMBERS_AT_ONCE = 50
/** `$4, $5, …`: numbers of entries; duplicates are allowed. */
export const NUMBERS = Array.from({ length: NUMBERS_AT_ONCE }, (_, index) => `$${index + 4}`).join(', ')

/** SQL of the bytes of the whole body of an entry, of which `pings` may have only the beginning; null without a body. */
export const BODY_SIZE = `(LENGTH(pings.body) + COALESCE((
    SELECT rest_bytes FROM long_bodies WHERE long_bodies.check_id = pings.check_id AND long_bodies.n = pings.n), 0))`

/** Columns of a body's end: `size` is that of the whole body; `bytes` are the beginning of an email, the end of another body. */
export const BODY_END_COLUMNS = `pings.n, pings.scheme, pings.content_type AS "contentType", ${BODY_SIZE} AS size, CASE
    WHEN pings.scheme = 'email' THEN SUBSTR(pings.body, 1, CAST($2 AS INTEGER))
    WHEN LENGTH(pings.body) > CAST($3 AS INTEGER) THEN SUBSTR(pings.body, LENGTH(pings.body) - CAST($3 AS INTEGER) + 1)
    ELSE pings.body
  END AS bytes`

/** Kinds of pings that do not count. */
export const UNCOUNTED_KINDS = "('ign', 'log')"

const countOf = (name: string, condition: string) => `SUM(CASE WHEN ${condition} THEN 1 ELSE 0 END) AS ${name}`
const METHOD = "CASE WHEN ignored_by = 'method' THEN method END"

/** Columns over `kind`, `ignored_by`, `method` and `received_at`. Without an entry all are null. */
export const UNCOUNTED_COLUMNS = [
  countOf('by_keyword', "ignored_by = 'no-keyword'"),
  countOf('by_method', "ignored_by = 'method'"),
  countOf('by_pause', "ignored_by = 'pause'"),
  countOf('logs', "kind = 'log'"),
  countOf('others', "kind = 'ign' AND ignored_by IS NULL"),
  `MIN(${METHOD}) AS first_method`,
  `MAX(${METHOD}) AS last_method`,
  'MAX(received_at) AS last_at',
].join(', ')

export interface EngineStatements {
  /** rows of an `INSERT` of many: more save round trips, but SQLite, which has none, writes single rows in half the time */
  readonly rowsAtOnce: number

  /** `$1` check, `$2` limit: the newest entries, newest first, `has_body` 0 or 1 instead of the body */
  readonly listLog: string
  /**
   * `$1` check, `$2` number, `$3` limit, `$4` bytes: the entries before that number, newest first, with the beginning of `body`, and
   * `body_size`
   */
  readonly readLog: string
  /**
   * `$1` check, `$2` time, `$3` number: the entries after that number, newest first, back to the newest success or failure that is earlier
   * than that time; `n`, `received_at`, `occurred_at`, `kind`, `rid` and `remote_addr`
   */
  readonly logSince: string
  /**
   * `$1` check, `$2` and `$3` bytes of an email and of another body, then {@link NUMBERS}: the {@link BODY_END_COLUMNS} of those entries
   * that have a body
   */
  readonly bodyEnds: string
  /** `$1` check, `$2` number, `$3` bytes: that entry, with the beginning of `body`, and `body_size` */
  readonly pingStart: string
  /**
   * `$1` check, `$2` number, `$3` entries: among this many entries before that number the newest success that has a body, or else the
   * newest success; its `n`, `received_at`, `occurred_at`, and `has_body`
   */
  readonly lastGood: string
  /** `$1` check, `$2` number: that entry, with the `body` in `pings`, and `body_size` */
  readonly ping: string
  /**
   * `$1` check, `$2` time, `$3` and `$4` bytes: the newest entry that is not later, with the beginning of `body`, `body_size`, and
   * `long_body_end` of a body that is longer and not an email's
   */
  readonly pingAsOf: string
  /**
   * `$1` check, `$2` time, `$3` entries, `$4` bytes: among this many newest entries the newest failure that is not earlier, with
   * `body_size`, and `body_end`, which is null for an email, whose last line is meaningless
   */
  readonly lastFailure: string
  /**
   * `$1` check, `$2` time, `$3` entries: among this many newest entries those that are not later than that time, and newer than the last
   * success, failure or start before it, as one row of {@link UNCOUNTED_COLUMNS}
   */
  readonly uncounted: string

  /** `$1` check: `head`, where {@link walkLog} begins, or null, and `ping_log_limit` of its project */
  readonly logHead: string
  /**
   * `$1` check: removes the entries that its project does not keep, with their words. Returns one row: `removed`, their number, and `bytes`
   * of the remaining bodies, except the newest entry's. Null if the log must be walked to find them
   */
  readonly cutLog: string | null
  /**
   * `$1` check, `$2` a head, or `next` of the last row, `$3` limit: `id`, `n`, `bytes` of the body in `pings`, and `next`, newest first.
   * Also for a check that is deleted or cleared. Reads no bodies
   */
  readonly walkLog: string
  /** `$1` check: records that it is deleted */
  readonly rememberDeleted: string
  /** `$1` limit: `checkId` and `head` of deleted checks */
  readonly deletedChecks: string
  /** `$1` check, `$2` number of its newest event: records that it is cleared */
  readonly rememberCleared: string
  /** `$1` check: ends its log where it is cleared; null if the engine derives that from the record */
  readonly emptyLog: string | null
  /** `$1` limit: `checkId`, `nPings`, `head` and `nEvents` of cleared checks */
  readonly clearedChecks: string

  /**
   * `KEY_ROWS` of checks: `head` of the staged log, null if the engine finds the log by its key; and the other columns of
   * {@link importExtent}
   */
  readonly importExtent: string
  /** `$1` check, `$2` id of the newest entry: ends the staged log there; null if the engine finds the log by its key */
  readonly moveStaged: string | null
  /** `$1` check: marks its staged log for removal, as that of a deleted check */
  readonly rememberDropped: string

  /** Keeps the cursor of the search within the log; null if ids are never reused */
  readonly clampCursor: string | null
  /** `$1` check, `$2` id: inserts the entries of its log up to that id into `unread_pings` */
  readonly fillQueue: string

  /** `now`: the clock of the machine on which the database is, in microseconds; exact to a millisecond */
  readonly clock: string

  /**
   * `$1` time, `$2` limit: `id` of the checks that the loop should judge by that time, longest due first. Locks them (the lock `check`),
   * and leaves out those that another write has locked.
   */
  readonly claimOverdue: string
  /** `$1` channel, `$2` time, `$3` end of the lease: claims the channel's delivery that is longest due */
  readonly claimDelivery: string
  /** `$1` time, `$2` end of the lease, `$3` limit: claims the mailings that are longest due */
  readonly claimMailings: string
  /** `$1` time, `$2` end of the lease, `$3` limit: claims the morning mails that are longest due */
  readonly claimMorningMails: string
  /** `$1` time, `$2` end of the lease, `$3` limit: claims the rows of `advice` that are longest due */
  readonly claimLooks: string
  /** `$1` channel, `$2` limit: makes the rows of `advice` due whose checks it is assigned to; waits for no other write */
  readonly soonOfChannel: string
  /** `$1` project, `$2` limit: does the same for the rows that state that the check alerts no one */
  readonly soonOfUntold: string
}

/**
 * Selects one row for each check, whether it exists or not: `project_id`, `n_pings` and `n_events` of an existing check; the same of the
 * staged data, with `entries` and `bytes`; whether the check exists and is not staged itself; and whether a check of this id was deleted
 * and has leftovers.
 * @param head the column that the engine adds
 */
export function importExtent(head: string): string {
  return `
    SELECT wanted.column1 AS id, checks.project_id, CASE WHEN ${SHOWN_CHECK} THEN 1 ELSE 0 END AS is_shown, counters.n_pings,
      checks.n_events, staged_logs.project_id AS staged_project_id, staged_logs.n_pings AS staged_n_pings,
      staged_logs.n_events AS staged_n_events, staged_logs.entries, staged_logs.bytes, ${head} AS head, CASE
        WHEN deleted_checks.check_id IS NOT NULL THEN 1
        WHEN checks.id IS NULL AND EXISTS (SELECT 1 FROM cleared_checks WHERE cleared_checks.check_id = wanted.column1) THEN 1
        ELSE 0
      END AS is_leaving
    FROM (VALUES ${KEY_ROWS}) AS wanted
    LEFT JOIN checks ON checks.id = wanted.column1 LEFT JOIN counters ON counters.counter_id = checks.counter_id
    LEFT JOIN staged_logs ON staged_logs.check_id = wanted.column1
    LEFT JOIN deleted_checks ON deleted_checks.check_id = wanted.column1
    WHERE wanted.column1 IS NOT NULL`
}
