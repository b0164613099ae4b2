/** When a job runs. */
export interface Rhythm {
  /** five fields, or a word such as `@daily`; of a check with another kind of schedule an example */
  readonly cron: string
  /** IANA name of the zone of the expression; null: an example, which has none */
  readonly tz: string | null
}

/**
 * Writes lines that tell the start, the end and the output of a job. A ping that fails says so, and changes nothing about the job. All
 * pings of a run take less than 30 seconds together, whatever the server does.
 * @param url of pings of the check: it has only letters, digits and what URLs need
 */
export type SnippetWriter = (url: string, rhythm: Rhythm) => string
