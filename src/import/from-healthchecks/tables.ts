/** The tables of Healthchecks as an import reads them, for every database engine. */

/**
 * A row by the names of its columns, as texts that the engine writes, see `values.ts`. A column that this version of Healthchecks
 * lacks is missing.
 */
export type SourceRow = Readonly<Record<string, string | null | undefined>>

export interface SourcePing extends SourceRow {
  readonly n: string
}

/** A log entry with its body. */
export interface LoggedPing {
  readonly row: SourcePing
  /** null: it has none, or the body is in object storage */
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
/** Tables that are read into memory as a whole. Logs are not among them, because they grow without limit. */
export type WholeTable = (typeof WHOLE_TABLES)[number]

/** The contents of one check's log. */
export interface LogSummary {
  /** number of the newest entry; 0: the log is empty */
  readonly newest: number
  readonly pings: number
  /** number of entries without a number of their own, which are not read */
  readonly unnumbered: number
  /** number of bodies in object storage */
  readonly elsewhere: number
  readonly flips: number
  /** number of flips about which Healthchecks has not alerted anybody yet */
  readonly unprocessed: number
  /** time of the newest success, as the engine writes it; null: the log has none */
  readonly lastSuccess: string | null
}

/** A snapshot of a Healthchecks database. `check` is the value of `api_check.id`. */
export interface HealthchecksTables {
  /** shown to people: a path, or a URL without the password */
  readonly name: string
  /** Returns all rows in the order of `id`; none if there is no such table. */
  rows(table: WholeTable): Promise<readonly SourceRow[]>
  /** Returns the contents of some of the newest sessions; none if there are none. */
  sessions(): Promise<readonly string[]>
  /** Returns summaries in the order of the ids. */
  summarize(checks: readonly number[]): Promise<readonly LogSummary[]>
  /** Returns the newest entries without their bodies, newest first. */
  newestPings(check: number, limit: number): Promise<readonly SourceRow[]>
  /** Yields pings in the order of `n`, each number once. @param after only greater numbers are read */
  pings(check: number, after: number): AsyncIterable<readonly LoggedPing[]>
  /** Yields all flips in chronological order. @param after number of flips to skip */
  flips(check: number, after: number): AsyncIterable<readonly SourceRow[]>
  /** Yields messages about the check, in the order of `id`. Tests of integrations belong to no check. */
  notifications(check: number): AsyncIterable<readonly SourceRow[]>
  close(): Promise<void>
}
