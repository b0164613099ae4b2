/** Words that cron daemons accept in place of a schedule: crontab(5), "EXTENSIONS". */

/** The five fields that each word is short for. The last word comes from FreeBSD's cron. */
const CRON_WORDS: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
  ['@every_minute', '* * * * *'],
])

/** Returns the five fields for a word such as `@daily`, ignoring case and surrounding white space; null for any other input. */
export function cronWord(text: string): string | null {
  return CRON_WORDS.get(text.trim().toLowerCase()) ?? null
}
