/**
 * Counts writes. The counters grow with each commit that changed something, so every process can detect whether another process has
 * written, and what kind of data. Each connection has its own rows, so that no two writes wait for the same row. What a row records depends
 * on its number:
 *
 * - 0 and above: writes on the connection with this number, which may have changed anything;
 * - -1: the first id that was reserved for the newest batch of pings;
 * - -2 and below: writes that did not change anything shown about checks.
 */
import type { Shown } from '../../../sql/database.ts'

/** Initial value of a row. It differs from earlier values of the same row. */
const INITIAL_REVISION = '(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000)::bigint'

const NOTE = `
  INSERT INTO writers (process, connection, revision) VALUES ($1, $2, ${INITIAL_REVISION})
  ON CONFLICT (process, connection) DO UPDATE SET revision = writers.revision + 1`
/**
 * A process commits its batches in the order of their ids. The exception is a batch that is committed after the next one because its
 * connection was lost. Such a batch is recorded as a write that may change anything, and so is a process's first batch.
 */
const NOTE_PINGS = `
  WITH noted AS (
    UPDATE writers SET revision = currval('ping_ids')
    WHERE process = $1 AND connection = -1 AND revision < currval('ping_ids') RETURNING connection
  )
  INSERT INTO writers (process, connection, revision)
  SELECT $1, new.connection, new.revision
  FROM (VALUES (-1, currval('ping_ids')), ($2::bigint, ${INITIAL_REVISION})) AS new (connection, revision)
  WHERE NOT EXISTS (SELECT 1 FROM noted)
  ON CONFLICT (process, connection) DO UPDATE
  SET revision = GREATEST(writers.revision + CASE WHEN writers.connection < 0 THEN 0 ELSE 1 END, EXCLUDED.revision)`

/** @param connection number of the connection @returns a statement and its values, for the connection that writes */
export function noteOf(
  processId: string,
  connection: number,
  shown: Shown,
): [statement: string, values: (string | number)[]] {
  if (shown === 'pings') return [NOTE_PINGS, [processId, connection]]
  return [NOTE, [processId, shown === 'nothing' ? -2 - connection : connection]]
}

/** Reads the writes of all processes except $1. Sums may exceed the safe integer range. */
export const WRITES_OF_OTHERS = `
  SELECT CONCAT(COUNT(*), '.', SUM(revision)) AS writes,
    CONCAT(COUNT(edited), '.', SUM(edited)) AS edits,
    COALESCE(jsonb_object_agg(process, revision) FILTER (WHERE connection = -1), '{}')::text AS pings
  FROM (
    SELECT *, CASE WHEN connection >= 0 THEN revision END AS edited FROM writers WHERE process <> $1
  ) AS others`

/**
 * Removes the rows of process $1. Other processes may not have read its last writes yet, so a row that all stopped processes share is
 * updated.
 */
export const FORGET_WRITER = `
  WITH ended AS (DELETE FROM writers WHERE process = $1)
  INSERT INTO writers (process, connection, revision) VALUES ('', 0, ${INITIAL_REVISION})
  ON CONFLICT (process, connection) DO UPDATE SET revision = GREATEST(writers.revision + 1, EXCLUDED.revision)`

/** Removes the rows of killed processes. A process that is still running re-creates its rows when it next writes. */
export const FORGET_OLD_WRITERS = `
  DELETE FROM writers AS old WHERE NOT EXISTS (
    SELECT 1 FROM writers AS begun
    WHERE begun.process = old.process AND begun.connection <> -1
      AND begun.revision >= EXTRACT(EPOCH FROM clock_timestamp() - INTERVAL '7 days') * 1000000
  )`
