/**
 * Who has written: a number for each connection that writes, which grows with each commit that changed something. So every
 * process can tell whether another one has written, and no two writes wait for one row.
 */

/** $1 process, $2 number of its connection. A row that was removed begins with another number than before. */
export const NOTE_WRITE = `
  INSERT INTO writers (process, connection, revision)
  VALUES ($1, $2, (EXTRACT(EPOCH FROM clock_timestamp()) * 1000000)::bigint)
  ON CONFLICT (process, connection) DO UPDATE SET revision = writers.revision + 1`

/** $1 process. The sum may be greater than a safe integer. */
export const WRITES_OF_OTHERS = `
  SELECT COUNT(*) AS writers, COALESCE(SUM(revision), 0)::text AS revision FROM writers WHERE process <> $1`

/** $1 process. One row for all processes that have ended tells of what they wrote since others looked last. */
export const FORGET_WRITER = `
  WITH ended AS (DELETE FROM writers WHERE process = $1)
  INSERT INTO writers (process, connection, revision)
  VALUES ('', 0, (EXTRACT(EPOCH FROM clock_timestamp()) * 1000000)::bigint)
  ON CONFLICT (process, connection) DO UPDATE SET revision = GREATEST(writers.revision + 1, EXCLUDED.revision)`

/** Processes that were killed forget nothing. One that still writes begins its row again. */
export const FORGET_OLD_WRITERS = `
  DELETE FROM writers WHERE revision < EXTRACT(EPOCH FROM clock_timestamp() - INTERVAL '7 days') * 1000000`
