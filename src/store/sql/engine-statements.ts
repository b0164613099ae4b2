/**
 * Statements that differ between engines, either because engines store the log differently, or because engine-specific claims are faster.
 * All engines return the same rows for the same values.
 *
 * A check's log ends with its newest ping, and begins after the last ping before it was cleared. A check that does not exist has no log.
 */
import { SHOWN_CHECK } from './check-rows.ts'
import { KEY_ROWS } from './rows.ts'

export const NUMBERS_AT_ONCE = 50
/** `$4, $5, …`: the numbers of log entries; duplicates are allowed. */
export const NUMBERS = Array.from({ length: NUMBERS_AT_ONCE }, (_, index) => `$${index + 4}`).join(', ')

/** SQL for the size in bytes of an entry's complete body, even if `pings` contains only the beginning of it; null if there is no body. */
export const BODY_SIZE = `(LENGTH(pings.body) + COALESCE((
    SELECT rest_bytes FROM long_bodies WHERE long_bodies.check_id = pings.check_id AND long_bodies.n = pings.n), 0))`

/**
 * Columns for the end of a body. `size` is the size of the complete body. `bytes` contains the beginning of an email, or the end of any
 * other body.
 */
export const BODY_END_COLUMNS = `pings.n, pings.scheme, pings.content_type AS "contentType", ${BODY_SIZE} AS size, CASE
    WHEN pings.scheme = 'email' THEN SUBSTR(pings.body, 1, CAST($2 AS INTEGER))
    WHEN LENGTH(pings.body) > CAST($3 AS INTEGER) THEN SUBSTR(pings.body, LENGTH(pings.body) - CAST($3 AS INTEGER) + 1)
    ELSE pings.body
  END AS bytes`

/** Kinds of pings that do not count, as an SQL list. */
export const UNCOUNTED_KINDS = "('ign', 'log')"

const countOf = (name: string, condition: string) => `SUM(CASE WHEN ${condition} THEN 1 ELSE 0 END) AS ${name}`
const METHOD = "CASE WHEN ignored_by = 'method' THEN method END"

/** Columns computed from `kind`, `ignored_by`, `method` and `received_at`. All are null if there are no entries. */
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
  /**
   * maximum number of rows per `INSERT`. More rows save round trips, but SQLite has no round trips, and inserting rows one at a time takes
   * half as long
   */
  readonly rowsAtOnce: number

  /** `$1` check, `$2` limit: the newest entries, newest first, with `has_body` (0 or 1) instead of the body */
  readonly listLog: string
  /**
   * `$1` check, `$2` number, `$3` limit, `$4` bytes: the entries before that number, newest first, with the beginning of `body` and with
   * `body_size`
   */
  readonly readLog: string
  /**
   * `$1` check, `$2` time, `$3` number: the entries after that number, newest first, back to the newest success or failure before that
   * time. Columns: `n`, `received_at`, `occurred_at`, `kind`, `rid` and `remote_addr`
   */
  readonly logSince: string
  /**
   * `$1` check, `$2` and `$3` bytes to read of an email and of any other body, then {@link NUMBERS}: the {@link BODY_END_COLUMNS} of those
   * entries that have a body
   */
  readonly bodyEnds: string
  /** `$1` check, `$2` number, `$3` bytes: the entry with that number, with the beginning of `body` and with `body_size` */
  readonly pingStart: string
  /**
   * `$1` check, `$2` number, `$3` number of entries: searches this many entries before that number for the newest success with a body, or
   * else the newest success. Columns: `n`, `received_at`, `occurred_at`, and `has_body`
   */
  readonly lastGood: string
  /** `$1` check, `$2` number: the entry with that number, with the `body` in `pings` and with `body_size` */
  readonly ping: string
  /**
   * `$1` check, `$2` time, `$3` and `$4` bytes: the newest entry up to that time, with the beginning of `body`, `body_size`, and
   * `long_body_end` if the body is longer and is not an email
   */
  readonly pingAsOf: string
  /**
   * `$1` check, `$2` time, `$3` number of entries, `$4` bytes: searches this many newest entries for the newest failure since that time.
   * Columns include `body_size`, and `body_end`, which is null for an email, because an email's last line is meaningless
   */
  readonly lastFailure: string
  /**
   * `$1` check, `$2` time, `$3` number of entries: searches this many newest entries for those up to that time that are newer than the last
   * success, failure or start before that time. Returns one row of {@link UNCOUNTED_COLUMNS}
   */
  readonly uncounted: string

  /** `$1` check: returns `head`, where {@link walkLog} begins, or null; and the `ping_log_limit` of the check's project */
  readonly logHead: string
  /**
   * `$1` check: removes the entries that the check's project does not keep, with their words. Returns one row with the number of `removed`
   * entries, and the `bytes` of the remaining bodies except that of the newest entry. Null if the log must be walked to find the entries
   */
  readonly cutLog: string | null
  /**
   * `$1` check, `$2` a head or the `next` of the last row, `$3` limit: `id`, `n`, `bytes` of the body in `pings`, and `next`, newest first.
   * Also works for a deleted or cleared check. Does not read bodies
   */
  readonly walkLog: string
  /** `$1` check: records that the check is deleted */
  readonly rememberDeleted: string
  /** `$1` limit: `checkId` and `head` of each deleted check */
  readonly deletedChecks: string
  /** `$1` check, `$2` number of the check's newest event: records that the check is cleared */
  readonly rememberCleared: string
  /** `$1` check: ends the check's log where it was cleared; null if the engine derives this from the record */
  readonly emptyLog: string | null
  /** `$1` limit: `checkId`, `nPings`, `head` and `nEvents` of each cleared check */
  readonly clearedChecks: string

  /**
   * `KEY_ROWS` of checks: `head` of the staged log, which is null if the engine looks up log entries by key, and the other columns of
   * {@link importExtent}
   */
  readonly importExtent: string
  /** `$1` check, `$2` id of the newest entry: ends the staged log at that entry; null if the engine looks up log entries by key */
  readonly moveStaged: string | null
  /** `$1` check: marks the check's staged log for removal, like a deleted check's log */
  readonly rememberDropped: string

  /** Keeps the search cursor within the log; null if ids are never reused */
  readonly clampCursor: string | null
  /** `$1` check, `$2` id: inserts the entries of the check's log up to that id into `unread_pings` */
  readonly fillQueue: string

  /** `now`: the time on the database's machine, in microseconds, accurate to a millisecond */
  readonly clock: string

  /**
   * `$1` time, `$2` limit: `id` of the checks that the loop should judge by that time, longest overdue first. Locks them (the lock
   * `check`). Leaves out checks that another write has locked.
   */
  readonly claimOverdue: string
  /** `$1` channel, `$2` time, `$3` end of the lease: claims the channel's longest overdue delivery */
  readonly claimDelivery: string
  /** `$1` time, `$2` end of the lease, `$3` limit: claims the longest overdue mailings */
  readonly claimMailings: string
  /** `$1` time, `$2` end of the lease, `$3` limit: claims the longest overdue morning mails */
  readonly claimMorningMails: string
  /** `$1` time, `$2` end of the lease, `$3` limit: claims the longest overdue rows of `advice` */
  readonly claimLooks: string
  /**
   * `$1` channel, `$2` limit: makes the rows of `advice` due for checks to which the channel is assigned. Does not wait for other writes
   */
  readonly soonOfChannel: string
  /** `$1` project, `$2` limit: does the same for rows that say that a check alerts nobody */
  readonly soonOfUntold: string
}

/**
 * Selects one row for each check, whether it exists or not. The columns are `project_id`, `n_pings` and `n_events` of an existing check;
 * the same columns of the staged data, with `entries` and `bytes`; whether the check exists and is not staged; and whether a check with
 * this id was deleted and still has some data left.
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
