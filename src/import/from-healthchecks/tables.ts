/** Interface through which an import reads Healthchecks' tables from any database engine. */

/**
 * A row as an object whose keys are column names. The values are text in the format of the database engine; see `values.ts`. Columns that
 * the Healthchecks version lacks are missing.
 */
export type SourceRow = Readonly<Record<string, string | null | undefined>>

export interface SourcePing extends SourceRow {
  readonly n: string
}

/** A log entry with its body. */
export interface LoggedPing {
  readonly row: SourcePing
  /** null if the ping has no body, or the body is in object storage */
  readonly body: Uint8Array | null
}

const WHOLE_TABLES = [
  'auth_user',
  'accounts_profile',
  'accounts_credential',
  'accounts_project',
  'accounts_member',
  'api_check',
  'api_channel',
  'api_channel_checks',
] as const
/** Tables that are completely read into memory. Logs are not included, because they can be very large. */
export type WholeTable = (typeof WHOLE_TABLES)[number]

/** A summary of one check's log. */
export interface LogSummary {
  /** number of the newest entry; 0 if the log is empty */
  readonly newest: number
  readonly pings: number
  /** number of entries without a unique number, which are not read */
  readonly unnumbered: number
  /** number of bodies in object storage */
  readonly elsewhere: number
  readonly flips: number
  /** number of flips for which Healthchecks has not sent alerts yet */
  readonly unprocessed: number
  /** time of the newest success, in the format of the database engine; null if there is none */
  readonly lastSuccess: string | null
}

/** A snapshot of a Healthchecks database. `check` is the value of `api_check.id`. */
export interface HealthchecksTables {
  /** name in messages: a path, or a URL without the password */
  readonly name: string
  /** Returns all rows in the order of `id`. Returns an empty list if the table does not exist. */
  rows(table: WholeTable): Promise<readonly SourceRow[]>
  /** Returns the contents of some of the newest sessions. */
  sessions(): Promise<readonly string[]>
  /** Returns summaries in the order of the ids. */
  summarize(checks: readonly number[]): Promise<readonly LogSummary[]>
  /** Returns the newest entries without their bodies, newest first. */
  newestPings(check: number, limit: number): Promise<readonly SourceRow[]>
  /** Yields pings in the order of `n`, without duplicates. @param after only pings with a greater number are read */
  pings(check: number, after: number): AsyncIterable<readonly LoggedPing[]>
  /** Yields all flips in chronological order. @param after number of flips to skip */
  flips(check: number, after: number): AsyncIterable<readonly SourceRow[]>
  /** Yields notifications about the check, in the order of `id`. Notifications that test an integration belong to no check. */
  notifications(check: number): AsyncIterable<readonly SourceRow[]>
  close(): Promise<void>
}
