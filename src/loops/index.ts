/**
 * Runs the loops: eight jobs with the cron plugin, and one for scheduled backups. The plugin starts its timers when it is built, so only
 * `app.start()` builds it.
 */
import { cron } from '@elysiajs/cron'
import { Elysia } from 'elysia'
import type { Job } from './job.ts'

export interface Jobs {
  readonly overdue: Job
  /** sends alerts that were held back */
  readonly incidents: Job
  readonly deliveries: Job
  readonly mailings: Job
  readonly retention: Job
  /** indexes the words of pings */
  readonly search: Job
  /** records rejected pings */
  readonly refused: Job
  /** examines checks and stores advice about them */
  readonly advice: Job
  /** null if the server creates no backups */
  readonly backups: Job | null
}

const EVERY_SECOND = '* * * * * *'
const EVERY_TEN_SECONDS = '*/10 * * * * *'
const EVERY_MINUTE = '30 * * * * *'
/** Runs at second 45, when the server does little else, because most jobs run at the start or the middle of a minute. */
const EVERY_MINUTE_LATER = '45 * * * * *'

export interface Loops {
  /** Stops the loops and waits for running jobs, except for emails and backups in progress. */
  stop(): Promise<void>
}

export function startLoops(jobs: Jobs): Loops {
  const { overdue, incidents, deliveries, mailings, retention, search, refused, advice, backups } = jobs
  for (const job of Object.values(jobs)) job?.start()
  const loops = new Elysia({ name: 'loops' })
    .use(cron({ name: 'overdue', pattern: EVERY_SECOND, run: () => overdue.run() }))
    .use(cron({ name: 'incidents', pattern: EVERY_SECOND, run: () => incidents.run() }))
    .use(cron({ name: 'deliveries', pattern: EVERY_SECOND, run: () => deliveries.run() }))
    .use(cron({ name: 'mailings', pattern: EVERY_MINUTE, run: () => mailings.run() }))
    .use(cron({ name: 'retention', pattern: EVERY_MINUTE, run: () => retention.run() }))
    .use(cron({ name: 'search', pattern: EVERY_SECOND, run: () => search.run() }))
    .use(cron({ name: 'refused', pattern: EVERY_TEN_SECONDS, run: () => refused.run() }))
    .use(cron({ name: 'advice', pattern: EVERY_MINUTE_LATER, run: () => advice.run() }))
  if (backups) loops.use(cron({ name: 'backups', pattern: EVERY_MINUTE, run: () => backups.run() }))
  // Creates a missed backup immediately instead of at the next tick. The operator then also sees immediately whether backups work.
  backups?.run()
  return {
    async stop() {
      // Without this call, the plugin's jobs would keep running after the server stops.
      for (const job of Object.values(loops.store.cron)) job.stop()
      // A mail server may take a long time to accept an email, so stopping the server does not wait for these jobs.
      mailings.stop()
      backups?.stop()
      await Promise.all([overdue, incidents, deliveries, retention, search, refused, advice].map((job) => job.stop()))
    },
  }
}
