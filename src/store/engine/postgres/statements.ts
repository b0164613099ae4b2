/** The statements for PostgreSQL. Log entries are looked up by their key, and a claim skips rows that another claim has locked. */
import { CHECKS, SHOWN_CHECK } from '../../sql/check-rows.ts'
import {
  BODY_END_COLUMNS,
  BODY_SIZE,
  type EngineStatements,
  importExtent,
  NUMBERS,
  UNCOUNTED_COLUMNS,
  UNCOUNTED_KINDS,
} from '../../sql/engine-statements.ts'

/** A check's visible log. Leaves out entries that were cleared, and entries of deleted checks, which retention has not removed yet. */
const LOG = `
  pings WHERE check_id = $1
    AND n > COALESCE((SELECT MAX(n_pings) FROM cleared_checks WHERE cleared_checks.check_id = $1), 0)
    AND EXISTS (SELECT 1 FROM checks WHERE checks.id = $1 AND ${SHOWN_CHECK})`

const ALL_BUT_BODY = `
  check_id, n, received_at, kind, exit_status, rid, scheme, method, ua, remote_addr, dropped_bytes, content_type, ignored_by,
  occurred_at`
const START_OF_BODY = `SUBSTR(body, 1, $3::integer) AS body, ${BODY_SIZE} AS body_size`
const NEWEST_ENTRIES = `${LOG} AND n > (SELECT n_pings FROM ${CHECKS} WHERE id = $1) - $3 AND received_at <= $2`
/** A number larger than any ping's number. */
const NEWEST = '9007199254740991::bigint'

export const STATEMENTS: EngineStatements = {
  rowsAtOnce: 50,

  listLog: `
    SELECT ${ALL_BUT_BODY}, CASE WHEN body IS NULL THEN 0 ELSE 1 END AS has_body, NULL AS body
    FROM ${LOG} ORDER BY n DESC LIMIT $2`,
  readLog: `
    SELECT ${ALL_BUT_BODY}, ${BODY_SIZE} AS body_size, SUBSTR(body, 1, $4::integer) AS body
    FROM ${LOG} AND n < $2 ORDER BY n DESC LIMIT $3`,
  logSince: `
    SELECT n, received_at, occurred_at, kind, rid, remote_addr FROM ${LOG} AND n > $3 AND n >= COALESCE((
      SELECT n FROM ${LOG} AND n > $3 AND received_at < $2 AND kind IN ('success', 'fail') ORDER BY n DESC LIMIT 1), 0)
    ORDER BY n DESC`,
  bodyEnds: `SELECT ${BODY_END_COLUMNS} FROM ${LOG} AND n IN (${NUMBERS}) AND body IS NOT NULL`,
  pingStart: `SELECT ${ALL_BUT_BODY}, ${START_OF_BODY} FROM ${LOG} AND n = $2`,
  lastGood: `
    SELECT n, received_at, occurred_at, CASE WHEN LENGTH(body) > 0 THEN 1 ELSE 0 END AS has_body
    FROM ${LOG} AND n < $2 AND n >= $2::bigint - $3::bigint AND kind = 'success'
    ORDER BY has_body DESC, n DESC LIMIT 1`,
  ping: `SELECT ${ALL_BUT_BODY}, body, ${BODY_SIZE} AS body_size FROM ${LOG} AND n = $2`,
  pingAsOf: `
    SELECT ${ALL_BUT_BODY}, ${START_OF_BODY},
      CASE WHEN scheme <> 'email' AND LENGTH(body) > $3 THEN SUBSTR(body, LENGTH(body) - $4::integer + 1) END AS long_body_end
    FROM ${LOG} AND received_at <= $2 ORDER BY n DESC LIMIT 1`,
  lastFailure: `
    SELECT n, exit_status, received_at, occurred_at, content_type, LENGTH(body) AS body_size, CASE
        WHEN scheme = 'email' THEN NULL
        WHEN LENGTH(body) > $4::integer THEN SUBSTR(body, LENGTH(body) - $4::integer + 1)
        ELSE body
      END AS body_end
    FROM ${LOG} AND n > (SELECT n_pings FROM ${CHECKS} WHERE id = $1) - $3 AND kind = 'fail' AND received_at >= $2
    ORDER BY n DESC LIMIT 1`,
  uncounted: `
    SELECT ${UNCOUNTED_COLUMNS} FROM (
      SELECT kind, ignored_by, method, received_at FROM ${NEWEST_ENTRIES} AND kind IN ${UNCOUNTED_KINDS} AND n > COALESCE((
        SELECT n FROM ${NEWEST_ENTRIES} AND kind NOT IN ${UNCOUNTED_KINDS} ORDER BY n DESC LIMIT 1
      ), 0)
    ) AS entries`,

  logHead: `
    SELECT n_pings AS head, ping_log_limit
    FROM ${CHECKS} JOIN projects ON projects.id = checks.project_id WHERE checks.id = $1`,
  cutLog: `
    WITH log AS (
      SELECT n_pings, n_pings - ping_log_limit AS until
      FROM ${CHECKS} JOIN projects ON projects.id = checks.project_id WHERE checks.id = $1
    ), removed AS (
      DELETE FROM pings WHERE check_id = $1 AND n <= (SELECT until FROM log) RETURNING id
    ), words AS (
      DELETE FROM ping_words WHERE id IN (SELECT id FROM removed)
    ), rests AS (
      DELETE FROM long_bodies WHERE check_id = $1 AND n <= (SELECT until FROM log)
    )
    SELECT (SELECT COUNT(*) FROM removed) AS removed, COALESCE((
        SELECT SUM(LENGTH(body)) FROM pings
        WHERE check_id = $1 AND n > (SELECT until FROM log) AND n < (SELECT n_pings FROM log)
      ), 0) + COALESCE((
        SELECT SUM(rest_bytes)::bigint FROM long_bodies
        WHERE check_id = $1 AND n > (SELECT until FROM log) AND n < (SELECT n_pings FROM log)
      ), 0) AS bytes`,
  walkLog: `
    SELECT id, n, LENGTH(body) AS bytes, n - 1 AS next FROM pings WHERE check_id = $1 AND n <= $2
    ORDER BY n DESC LIMIT $3`,
  rememberDeleted: 'INSERT INTO deleted_checks (check_id) SELECT id FROM checks WHERE id = $1',
  deletedChecks: `SELECT check_id AS "checkId", ${NEWEST} AS head FROM deleted_checks LIMIT $1`,
  rememberCleared: `
    INSERT INTO cleared_checks (check_id, n_pings, n_events) SELECT id, n_pings, $2 FROM ${CHECKS} WHERE id = $1
    ON CONFLICT (check_id, n_pings) DO UPDATE SET n_events = excluded.n_events`,
  emptyLog: null,
  clearedChecks: `
    SELECT check_id AS "checkId", n_pings AS "nPings", n_pings AS head, n_events AS "nEvents" FROM cleared_checks LIMIT $1`,

  importExtent: importExtent('NULL::bigint'),
  moveStaged: null,
  rememberDropped: 'INSERT INTO deleted_checks (check_id) SELECT check_id FROM staged_logs WHERE check_id = $1',

  clampCursor: null,
  fillQueue: `INSERT INTO unread_pings (id) SELECT id FROM ${LOG} AND id <= $2 ON CONFLICT DO NOTHING`,

  clock: 'SELECT (EXTRACT(EPOCH FROM clock_timestamp()) * 1000000)::bigint AS now',

  claimOverdue: `
    SELECT checks.id FROM checks JOIN counters USING (counter_id) WHERE alert_after <= $1
    ORDER BY alert_after, checks.id LIMIT $2 FOR UPDATE OF counters SKIP LOCKED`,
  claimDelivery: `
    UPDATE deliveries SET attempts = attempts + 1, next_attempt_at = $3
    WHERE id = (
      SELECT id FROM deliveries WHERE channel_id = $1 AND next_attempt_at <= $2 ORDER BY next_attempt_at LIMIT 1
      FOR UPDATE SKIP LOCKED
    )
    RETURNING *`,
  // A common table expression runs once. A sub-select might run again for each row and lock more rows.
  claimMailings: `
    WITH due AS MATERIALIZED (
      SELECT channel_id, kind FROM mailings WHERE next_attempt_at <= $1 ORDER BY next_attempt_at LIMIT $3
      FOR UPDATE SKIP LOCKED
    )
    UPDATE mailings SET attempts = attempts + 1, next_attempt_at = $2
    FROM due WHERE mailings.channel_id = due.channel_id AND mailings.kind = due.kind
    RETURNING mailings.*`,
  claimMorningMails: `
    WITH due AS MATERIALIZED (
      SELECT account_id FROM morning_mails WHERE next_attempt_at <= $1 ORDER BY next_attempt_at LIMIT $3
      FOR UPDATE SKIP LOCKED
    )
    UPDATE morning_mails SET attempts = attempts + 1, next_attempt_at = $2
    FROM due WHERE morning_mails.account_id = due.account_id
    RETURNING morning_mails.*`,
  claimLooks: `
    WITH due AS MATERIALIZED (
      SELECT check_id FROM advice WHERE look_after <= $1 ORDER BY look_after LIMIT $3 FOR UPDATE SKIP LOCKED
    )
    UPDATE advice SET look_after = $2 FROM due WHERE advice.check_id = due.check_id
    RETURNING advice.*`,
  soonOfChannel: soonOf(`
    SELECT advice.check_id FROM check_channels JOIN advice ON advice.check_id = check_channels.check_id
    WHERE check_channels.channel_id = $1 AND advice.look_after > 0`),
  soonOfUntold: soonOf(`
    SELECT check_id FROM advice WHERE project_id = $1 AND kind = 'untold' AND data IS NOT NULL AND look_after > 0`),
}

function soonOf(some: string): string {
  return `
    WITH soon AS MATERIALIZED (${some} LIMIT $2 FOR UPDATE OF advice SKIP LOCKED)
    UPDATE advice SET look_after = 0 FROM soon WHERE advice.check_id = soon.check_id`
}
