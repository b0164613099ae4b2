/** Runs the work of each loop: calls the service, measures the runs and logs failures. */
import { isLogged, Refusal } from '../domain/errors.ts'
import { messageWithCause } from '../lib/errors.ts'
import { earlier, type Instant } from '../lib/time.ts'
import type { Jobs } from '../loops/index.ts'
import { createJob } from '../loops/job.ts'
import type { Deps } from '../services/common/deps.ts'
import type { Courier } from '../services/courier/courier.ts'
import { advanceDue } from '../services/incidents/due.ts'
import { createLooks } from '../services/looks/looks.ts'
import { sendMailings } from '../services/mail/mailings.ts'
import { createMorningMails } from '../services/mail/morning/morning-mails.ts'
import { flipOverdue } from '../services/pings/flips.ts'
import type { RefusedNotes } from '../services/pings/refused-signals.ts'
import { createRetention } from '../services/retention.ts'
import { createSearchIndex } from '../services/search/search-index.ts'
import type { Backups } from '../services/server/backups.ts'
import { createDescriptorWatch } from '../services/server/descriptors.ts'
import { createLease, underLease } from '../services/server/leases.ts'
import { createMemoryWatch } from '../services/server/memory.ts'
import { createHeartbeat } from '../services/server/outage.ts'
import type { LoopTracer } from '../telemetry/loops.ts'

/**
 * Number of seconds without a successful run after which a loop counts as broken. Each value covers many ticks and the longest possible
 * run.
 */
const LOOP_PATIENCE_SECONDS: Readonly<Record<keyof Jobs, number>> = {
  overdue: 30,
  incidents: 30,
  deliveries: 30,
  mailings: 300,
  retention: 300,
  search: 300,
  refused: 300,
  advice: 300,
  // A backup is aborted after an hour. A failed backup must not make the server report that it is not ready.
  backups: 7_200,
}

/** Length of the lease in seconds. If an instance is killed, another instance takes over when the lease expires. */
const RETENTION_LEASE_SECONDS = 50

/** The work of one run, by loop. @returns the time of the next run; null to let the loop decide */
type LoopWork = Readonly<Record<keyof Jobs, (at: Instant) => Promise<Instant | null>>>

interface AppJobs {
  /** the work alone, without heartbeat, measurements and logging */
  readonly work: LoopWork
  readonly jobs: Jobs
}

interface JobDeps extends Deps {
  readonly courier: Courier
  readonly refusedNotes: RefusedNotes
  /** null if no backups are scheduled */
  readonly scheduledBackups: Backups | null
}

/** @param loop puts a span around each run */
export function createJobs(deps: JobDeps, loop: LoopTracer): AppJobs {
  const { refusedNotes, scheduledBackups } = deps
  const work = {
    overdue: (at: Instant) => loop('overdue', () => flipOverdue(deps, at))(),
    incidents: loop('incidents', () => advanceDue(deps)),
    deliveries: loop('deliveries', deliveriesWork(deps)),
    mailings: loop('mailings', mailingsWork(deps)),
    retention: loop(
      'retention',
      underLease(createLease(deps, 'retention', RETENTION_LEASE_SECONDS), deps.now, createRetention(deps)),
    ),
    search: loop('search', createSearchIndex(deps)),
    refused: loop('refused', () => refusedNotes.write()),
    advice: loop('advice', createLooks(deps)),
    backups: loop('backups', async () => scheduledBackups?.runDue() ?? null),
  }
  return {
    work,
    jobs: {
      deliveries: watchedJob(deps, 'deliveries', work.deliveries),
      mailings: watchedJob(deps, 'mailings', work.mailings),
      backups: scheduledBackups && watchedJob(deps, 'backups', work.backups),
      overdue: watchedJob(deps, 'overdue', afterHeartbeat(deps, work.overdue)),
      incidents: watchedJob(deps, 'incidents', work.incidents),
      retention: watchedJob(deps, 'retention', work.retention),
      search: watchedJob(deps, 'search', work.search),
      refused: watchedJob(deps, 'refused', work.refused),
      advice: watchedJob(deps, 'advice', work.advice),
    },
  }
}

/**
 * Sends alerts through the mail server that is currently configured. This loop never pauses for long, so other emails soon use a new mail
 * server too.
 */
function deliveriesWork({ mailSetup, courier }: JobDeps): () => Promise<Instant | null> {
  return async () => {
    await mailSetup.follow()
    return courier.deliverDue()
  }
}

/** Sends reports and reminders, then morning mails. */
function mailingsWork(deps: Deps): () => Promise<Instant | null> {
  const sendMorningMails = createMorningMails(deps)
  return async () => earlier(await sendMailings(deps), await sendMorningMails())
}

/** Runs the heartbeat before the work, because a server outage must be recorded before checks go down. */
function afterHeartbeat(deps: Deps, work: (at: Instant) => Promise<Instant | null>): () => Promise<Instant | null> {
  const heartbeat = createHeartbeat(deps)
  const watchDescriptors = createDescriptorWatch(deps)
  const watchMemory = createMemoryWatch(deps)
  return async () => {
    watchDescriptors()
    watchMemory()
    return work(await heartbeat())
  }
}

/** Wraps a job to measure its runs and log its failures. */
function watchedJob(
  { now, stopwatch, log, measurements }: Deps,
  name: keyof Jobs,
  work: () => Promise<Instant | null>,
) {
  return createJob({
    now,
    work,
    onError: (error) => {
      if (!isLogged(error))
        log('error', `the ${name} loop failed`, {
          reason: error instanceof Refusal ? error.reason : messageWithCause(error),
        })
    },
    onStart: () => {
      const figures = measurements.startLoop(name, stopwatch(), LOOP_PATIENCE_SECONDS[name])
      return (run) => figures.record(run, stopwatch())
    },
  })
}
