/** Plans of crontabs for tests of their import. */
import { type CrontabOptions, planCrontab } from '../../../src/import/proposals/crontab/crontab.ts'
import { Temporal } from '../../../src/lib/time.ts'

/** Options for lines of `overdue import crontab --with curl`. */
export const CURL = { by: 'curl', hasStart: true, hasOutput: false } as const
/** Options of that command. */
export const AS_COMMAND = { isZoneCertain: false, targetLength: 36, pinging: CURL } as const

const OPTIONS: CrontabOptions = {
  layout: 'user',
  isLayoutCertain: false,
  zone: 'UTC',
  prefix: '',
  taken: new Set(),
  now: Temporal.Instant.from('2026-05-04T10:00:00Z'),
  pingEndpoint: 'https://overdue.example.org/ping/',
  ...AS_COMMAND,
}

/** @param options in addition to those of a user's crontab in UTC */
export const planOf = (text: string | Buffer, options: Partial<CrontabOptions> = {}) =>
  planCrontab(Buffer.from(text).toString('latin1'), { ...OPTIONS, ...options })
