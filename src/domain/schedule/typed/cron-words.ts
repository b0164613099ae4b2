/** The words of cron daemons for whole schedules: crontab(5), "EXTENSIONS". */

/** FreeBSD's cron has the last one. */
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

/** The five fields that a word such as `@daily` stands for, in any letter case, blanks around it; null for any other text. */
export function cronWord(text: string): string | null {
  return CRON_WORDS.get(text.trim().toLowerCase()) ?? null
}
