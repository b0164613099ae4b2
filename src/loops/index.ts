/**
 * The loops: four jobs on the cron plugin, and one for backups where they are wanted. They start when this is built, so
 * only `app.start()` builds it.
 */
import { cron } from '@elysiajs/cron'
import { Elysia } from 'elysia'
import type { Job } from './job.ts'

export interface Jobs {
  readonly overdue: Job
  readonly deliveries: Job
  readonly mailings: Job
  readonly retention: Job
  /** null: the server takes none */
  readonly backups: Job | null
}

const EVERY_SECOND = '* * * * * *'
const EVERY_MINUTE = '30 * * * * *'

export interface Loops {
  /** Stops the clocks and waits for the jobs that are at work, but not for mails and backups under way. */
  stop(): Promise<void>
}

export function startLoops({ overdue, deliveries, mailings, retention, backups }: Jobs): Loops {
  const loops = new Elysia({ name: 'loops' })
    .use(cron({ name: 'overdue', pattern: EVERY_SECOND, run: () => overdue.run() }))
    .use(cron({ name: 'deliveries', pattern: EVERY_SECOND, run: () => deliveries.run() }))
    .use(cron({ name: 'mailings', pattern: EVERY_MINUTE, run: () => mailings.run() }))
    .use(cron({ name: 'retention', pattern: EVERY_MINUTE, run: () => retention.run() }))
  if (backups) loops.use(cron({ name: 'backups', pattern: EVERY_MINUTE, run: () => backups.run() }))
  return {
    async stop() {
      // The plugin's jobs outlive the server unless they are told.
      for (const job of Object.values(loops.store.cron)) job.stop()
      // A mail server may keep a mail for long, and nobody is to wait for it but who stops the job itself.
      mailings.stop()
      backups?.stop()
      await Promise.all([overdue, deliveries, retention].map((job) => job.stop()))
    },
  }
}
