/** The statements for SQLite, whose log is a chain that begins at `counters.last_ping_id`. `schema.sql` explains why. */
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

const NEWEST = `FROM ${CHECKS} JOIN pings ON pings.id = counters.last_ping_id AND pings.check_id = $1 WHERE checks.id = $1`

/**
 * Walks a check's log backwards from its newest entry, or from another one. Every step compares `check_id`: if a pointer is wrong, the walk
 * ends instead of showing another check's pings.
 * @param more SQL condition that is true to continue to the entry before `log`
 * @param start FROM clause for the first entry
 */
const walk = (more: string, start: string = NEWEST) => `
  WITH RECURSIVE log (id, previous_id, n, received_at, kind) AS (
    SELECT pings.id, pings.previous_id, pings.n, pings.received_at, pings.kind ${start}
    UNION ALL
    SELECT pings.id, pings.previous_id, pings.n, pings.received_at, pings.kind
    FROM log JOIN pings ON pings.id = log.previous_id AND pings.check_id = $1
    WHERE ${more}
  )`

const ALL_BUT_BODY = `pings.check_id, pings.n, pings.received_at, pings.kind, pings.exit_status, pings.rid, pings.scheme,
    pings.method, pings.ua, pings.remote_addr, pings.content_type, pings.ignored_by, pings.occurred_at`
const N_PINGS = `(SELECT n_pings FROM ${CHECKS} WHERE id = $1)`

export const STATEMENTS: EngineStatements = {
  rowsAtOnce: 1,

  listLog: `${walk(`log.n > ${N_PINGS} - $2 + 1`)}
    SELECT ${ALL_BUT_BODY}, CASE WHEN pings.body IS NULL THEN 0 ELSE 1 END AS has_body, NULL AS body, pings.dropped_bytes
    FROM log JOIN pings ON pings.id = log.id
    ORDER BY log.n DESC`,
  // SQLite reads the length from the row's header, without reading the rest of a long body.
  readLog: `${walk('log.n > $2 - $3')}
    SELECT ${ALL_BUT_BODY}, SUBSTR(pings.body, 1, $4) AS body, ${BODY_SIZE} AS body_size, pings.dropped_bytes
    FROM log JOIN pings ON pings.id = log.id
    WHERE log.n < $2
    ORDER BY log.n DESC LIMIT $3`,
  logSince: `${walk("NOT (log.received_at < $2 AND log.kind IN ('success', 'fail')) AND log.n > $3 + 1")}
    SELECT log.n, log.received_at, pings.occurred_at, log.kind, pings.rid, pings.remote_addr FROM log JOIN pings ON pings.id = log.id
    WHERE log.n > $3 ORDER BY log.n DESC`,
  bodyEnds: `${walk(`log.n > MIN(${NUMBERS})`)}
    SELECT ${BODY_END_COLUMNS} FROM log JOIN pings ON pings.id = log.id + 0 WHERE log.n IN (${NUMBERS}) AND pings.body IS NOT NULL`,
  pingStart: `${walk('log.n > $2')}
    SELECT ${ALL_BUT_BODY}, SUBSTR(pings.body, 1, $3) AS body, ${BODY_SIZE} AS body_size, pings.dropped_bytes
    FROM log JOIN pings ON pings.id = log.id WHERE log.n = $2`,
  lastGood: `${walk('log.n > $2 - $3')}
    SELECT pings.n, pings.received_at, pings.occurred_at, CASE WHEN LENGTH(pings.body) > 0 THEN 1 ELSE 0 END AS has_body
    FROM log JOIN pings ON pings.id = log.id + 0
    WHERE log.kind = 'success' AND log.n < $2 ORDER BY has_body DESC, log.n DESC LIMIT 1`,
  ping: `${walk('log.n > $2')}
    SELECT ${ALL_BUT_BODY}, pings.body, ${BODY_SIZE} AS body_size, pings.dropped_bytes FROM log JOIN pings ON pings.id = log.id
    WHERE log.n = $2`,
  pingAsOf: `${walk('log.received_at > $2')}
    SELECT ${ALL_BUT_BODY}, SUBSTR(pings.body, 1, $3) AS body, ${BODY_SIZE} AS body_size, pings.dropped_bytes,
      CASE WHEN pings.scheme <> 'email' AND LENGTH(pings.body) > $3 THEN SUBSTR(pings.body, LENGTH(pings.body) - $4 + 1) END AS long_body_end
    FROM log JOIN pings ON pings.id = log.id WHERE log.received_at <= $2`,
  // Adding 0 keeps SQLite from reading all pings.
  lastFailure: `${walk(`log.received_at >= $2 AND log.n > ${N_PINGS} - $3 + 1`)}
    SELECT pings.n, pings.exit_status, pings.received_at, pings.occurred_at, pings.content_type, LENGTH(pings.body) AS body_size, CASE
        WHEN pings.scheme = 'email' THEN NULL
        WHEN LENGTH(pings.body) > $4 THEN SUBSTR(pings.body, LENGTH(pings.body) - $4 + 1)
        ELSE pings.body
      END AS body_end
    FROM log JOIN pings ON pings.id = log.id + 0
    WHERE pings.kind = 'fail' AND log.received_at >= $2
    ORDER BY log.n DESC LIMIT 1`,
  uncounted: `${walk(`(log.received_at > $2 OR log.kind IN ${UNCOUNTED_KINDS}) AND log.n > ${N_PINGS} - $3 + 1`)}
    SELECT ${UNCOUNTED_COLUMNS} FROM (
      SELECT pings.kind, pings.ignored_by, pings.method, pings.received_at FROM log JOIN pings ON pings.id = log.id + 0
      WHERE log.received_at <= $2 AND log.kind IN ${UNCOUNTED_KINDS}
    ) AS entries`,

  logHead: `
    SELECT last_ping_id AS head, ping_log_limit
    FROM ${CHECKS} JOIN projects ON projects.id = checks.project_id WHERE checks.id = $1`,
  cutLog: null,
  walkLog: `
    ${walk('log.n > (SELECT n FROM pings WHERE id = $2) - $3 + 1', 'FROM pings WHERE pings.id = $2 AND pings.check_id = $1')}
    SELECT log.id, log.n, LENGTH(pings.body) AS bytes, log.previous_id AS next FROM log JOIN pings ON pings.id = log.id
    ORDER BY log.n DESC`,
  rememberDeleted: `INSERT INTO deleted_checks (check_id, last_ping_id) SELECT id, last_ping_id FROM ${CHECKS} WHERE id = $1`,
  deletedChecks: 'SELECT check_id AS "checkId", last_ping_id AS head FROM deleted_checks LIMIT $1',
  // If no ping has arrived since the check was last cleared, its log is already empty.
  rememberCleared: `
    INSERT INTO cleared_checks (check_id, n_pings, last_ping_id, n_events)
    SELECT id, n_pings, last_ping_id, $2 FROM ${CHECKS} WHERE id = $1
    ON CONFLICT (check_id, n_pings) DO UPDATE SET n_events = excluded.n_events`,
  emptyLog: `
    UPDATE counters SET last_ping_id = NULL WHERE counter_id = (SELECT counter_id FROM checks WHERE id = $1)`,
  clearedChecks: `
    SELECT check_id AS "checkId", n_pings AS "nPings", last_ping_id AS head, n_events AS "nEvents"
    FROM cleared_checks LIMIT $1`,

  importExtent: importExtent('staged_logs.last_ping_id'),
  moveStaged: 'UPDATE staged_logs SET last_ping_id = $2 WHERE check_id = $1',
  rememberDropped: `
    INSERT INTO deleted_checks (check_id, last_ping_id) SELECT check_id, last_ping_id FROM staged_logs WHERE check_id = $1`,

  // Ids are reused after all newer entries have been deleted. The words of the entry that gets a reused id must be indexed.
  clampCursor: `
    UPDATE settings SET value = (SELECT CAST(COALESCE(MAX(id), 0) AS TEXT) FROM pings)
    WHERE name = 'search_cursor' AND CAST(value AS BIGINT) > (SELECT COALESCE(MAX(id), 0) FROM pings)`,
  fillQueue: `${walk('log.n > 0')}
    INSERT INTO unread_pings (id) SELECT id FROM log WHERE id <= $2 ON CONFLICT DO NOTHING`,

  clock: "SELECT CAST(unixepoch('subsec') * 1000000 AS INTEGER) AS now",

  claimOverdue: `SELECT id FROM checks WHERE alert_after <= $1 AND ${SHOWN_CHECK} ORDER BY alert_after, id LIMIT $2`,
  // The outer condition on the time makes this a claim: if two processes find the same row, only one of them updates it.
  claimDelivery: `
    UPDATE deliveries SET attempts = attempts + 1, next_attempt_at = $3
    WHERE id = (
      SELECT id FROM deliveries WHERE channel_id = $1 AND next_attempt_at <= $2 ORDER BY next_attempt_at LIMIT 1
    ) AND next_attempt_at <= $2
    RETURNING *`,
  claimMailings: `
    UPDATE mailings SET attempts = attempts + 1, next_attempt_at = $2
    WHERE (channel_id, kind) IN (
      SELECT channel_id, kind FROM mailings WHERE next_attempt_at <= $1 ORDER BY next_attempt_at LIMIT $3
    ) AND next_attempt_at <= $1
    RETURNING *`,
  claimMorningMails: `
    UPDATE morning_mails SET attempts = attempts + 1, next_attempt_at = $2
    WHERE account_id IN (
      SELECT account_id FROM morning_mails WHERE next_attempt_at <= $1 ORDER BY next_attempt_at LIMIT $3
    ) AND next_attempt_at <= $1
    RETURNING *`,
  claimLooks: `
    UPDATE advice SET look_after = $2
    WHERE check_id IN (SELECT check_id FROM advice WHERE look_after <= $1 ORDER BY look_after LIMIT $3) AND look_after <= $1
    RETURNING *`,
  soonOfChannel: `
    UPDATE advice SET look_after = 0 WHERE check_id IN (
      SELECT advice.check_id FROM check_channels JOIN advice ON advice.check_id = check_channels.check_id
      WHERE check_channels.channel_id = $1 AND advice.look_after > 0 LIMIT $2
    )`,
  soonOfUntold: `
    UPDATE advice SET look_after = 0 WHERE check_id IN (
      SELECT check_id FROM advice
      WHERE project_id = $1 AND kind = 'untold' AND data IS NOT NULL AND look_after > 0 LIMIT $2
    )`,
}
