/** The tables of Healthchecks as an import reads them, whatever the engine. */

/**
 * A row by the names of its columns: texts as the engine writes them, see `values.ts`. A column that this version of Healthchecks does
 * not have is missing.
 */
export type SourceRow = Readonly<Record<string, string | null | undefined>>

export interface SourcePing extends SourceRow {
  readonly n: string
}

/** An entry of a log, with its body. */
export interface LoggedPing {
  readonly row: SourcePing
  /** null: none, or it lies in an object storage */
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
/** Tables that are read into memory as a whole. Logs grow without limit, so they are not. */
export type WholeTable = (typeof WHOLE_TABLES)[number]

/** What the log of one check holds. */
export interface LogSummary {
  /** number of the newest entry; 0: there is none */
  readonly newest: number
  readonly pings: number
  /** entries that have no number, or that of another entry; they are not read */
  readonly unnumbered: number
  /** bodies that lie in an object storage */
  readonly elsewhere: number
  readonly flips: number
  /** flips that Healthchecks has not told anybody yet */
  readonly unprocessed: number
  /** when the newest success came, as the engine writes it; null: there is none in the log */
  readonly lastSuccess: string | null
}

/** One state of a database of Healthchecks. `check` is the value of `api_check.id`. */
export interface HealthchecksTables {
  /** for people: a path, or a URL without the password */
  readonly name: string
  /** All rows, in the order of `id`; none if there is no such table. */
  rows(table: WholeTable): Promise<readonly SourceRow[]>
  /** What some of the newest sessions hold; none if there are none. */
  sessions(): Promise<readonly string[]>
  /** In the order of the ids. */
  summarize(checks: readonly number[]): Promise<readonly LogSummary[]>
  /** The newest entries without their bodies, newest first. */
  newestPings(check: number, limit: number): Promise<readonly SourceRow[]>
  /** In the order of `n`, each number once. @param after only greater numbers */
  pings(check: number, after: number): AsyncIterable<readonly LoggedPing[]>
  /** In the order of time, all of them. @param after skips so many */
  flips(check: number, after: number): AsyncIterable<readonly SourceRow[]>
  /** Messages about the check, in the order of `id`. Tests of integrations belong to no check. */
  notifications(check: number): AsyncIterable<readonly SourceRow[]>
  close(): Promise<void>
}
