/** Collects metrics about the server itself, for Prometheus and for clients of Healthchecks' `metrics/`. */
import { ADVICE_KINDS, type AdviceKind } from '../../domain/advice/advice.ts'
import type { Family, Sample } from '../../domain/metrics/exposition.ts'
import type { HistogramCounts } from '../../lib/figures/histogram.ts'
import { type Instant, microsecondsBetween, toMicroseconds } from '../../lib/time.ts'
import type { DiskUsage, Durability, Outage, Outbox } from '../../store/store.ts'
import type { Deps } from '../common/deps.ts'
import type { LoopFigures, Measurements } from '../common/ports/measurements.ts'
import { listInstances, type SeenInstance } from './instances.ts'
import { type BackupState, readBackupState } from './server-state.ts'

const MICROSECONDS = 1_000_000

/** Collects the metrics. Counters start at 0 when the process starts. Labels never contain text that clients sent. */
export async function collectServerMetrics(
  deps: Pick<Deps, 'store' | 'now' | 'measurements' | 'ownProcess' | 'instance'>,
): Promise<Family[]> {
  const { store, now, measurements } = deps
  const [outbox, size, durability, outage, instances, advice, backup] = await Promise.all([
    store.server.readOutbox(),
    store.server.size(),
    store.server.durability(),
    store.server.findOutage(),
    listInstances(deps),
    store.advice.countAll(),
    readBackupState(deps),
  ])
  return [
    ...pingFamilies(measurements),
    ...loopFamilies(measurements.loops),
    ...deliveryFamilies(measurements, outbox, now()),
    ...adviceFamilies(measurements, advice),
    ...databaseFamilies(size, durability),
    ...outageFamilies(outage),
    ...instanceFamilies(instances, deps.instance),
    ...(measurements.backups ? backupFamilies(backup?.newest ?? null, measurements.backups.failures) : []),
    ...processFamilies(deps.ownProcess),
  ]
}

/**
 * Collects totals. The fields have the same names and meanings as in Healthchecks. Overdue's deliveries have no sequence numbers, so the
 * number of deliveries is returned instead.
 */
export async function collectTotals({ store, now }: Pick<Deps, 'store' | 'now'>) {
  const { newestPingId, deliveries, untriedEvents } = await store.server.readTotals()
  return {
    ts: Math.floor(now().epochMilliseconds / 1000),
    max_ping_id: newestPingId,
    max_notification_id: deliveries === 0 ? null : deliveries,
    num_unprocessed_flips: untriedEvents,
  }
}

function pingFamilies({ pings, commitSeconds, batchSizes }: Measurements): Family[] {
  const results = Object.entries(pings).map(([result, value]) => ({ labels: { result }, value }))
  return [
    counter('overdue_pings_total', 'Pings answered, by result.', results),
    histogram('overdue_commit_duration_seconds', 'Duration of transactions that write pings.', commitSeconds),
    histogram('overdue_commit_batch_size', 'Pings written in one transaction.', batchSizes),
  ]
}

function loopFamilies(loops: ReadonlyMap<string, LoopFigures>): Family[] {
  const each = [...loops]
  const lag = each.map(([loop, { lagSeconds }]) => ({ labels: { loop }, value: lagSeconds }))
  const lastRuns = each.flatMap(([loop, { lastRunAt }]) =>
    lastRunAt === null ? [] : [{ labels: { loop }, value: seconds(lastRunAt) }],
  )
  const failures = each.map(([loop, { failures: value }]) => ({ labels: { loop }, value }))
  return [
    {
      name: 'overdue_loop_lag_seconds',
      help: 'Delay between the time a run of a loop was due and its start.',
      type: 'histogram',
      samples: lag,
    },
    gauge('overdue_loop_last_run_timestamp_seconds', 'Time when the last run of a loop ended.', lastRuns),
    counter('overdue_loop_failures_total', 'Failed runs of a loop.', failures),
  ]
}

function deliveryFamilies({ attempts }: Measurements, { pending, oldestAt }: Outbox, now: Instant): Family[] {
  const age = oldestAt === null ? 0 : Math.max(0, microsecondsBetween(oldestAt, now)) / MICROSECONDS
  const ended = [...attempts].flatMap(([kind, counts]) =>
    Object.entries(counts).map(([state, value]) => ({ labels: { state, kind }, value })),
  )
  return [
    gauge('overdue_deliveries_pending', 'Pending deliveries.', [{ value: pending }]),
    gauge('overdue_deliveries_oldest_pending_seconds', 'Age of the oldest pending delivery, 0 if there is none.', [
      { value: age },
    ]),
    counter('overdue_deliveries_total', 'Delivery attempts, by result and kind of channel.', ended),
  ]
}

function adviceFamilies({ looks }: Measurements, advice: ReadonlyMap<AdviceKind, number>): Family[] {
  const checks = ADVICE_KINDS.map((kind) => ({ labels: { kind }, value: advice.get(kind) ?? 0 }))
  return [
    gauge('overdue_advice', 'Checks with a visible advice, by kind.', checks),
    counter('overdue_advice_looks_total', 'Examinations of checks by the doctor.', [{ value: looks.count }]),
    counter('overdue_advice_look_seconds_total', 'Time spent on examinations.', [{ value: looks.seconds }]),
  ]
}

function outageFamilies(outage: Outage | null): Family[] {
  const sample = (at: Instant | undefined) => (at ? [{ value: seconds(at) }] : [])
  return [
    gauge('overdue_last_outage_start_timestamp_seconds', 'Start of the last outage: the last heartbeat before it.', [
      ...sample(outage?.from),
    ]),
    gauge('overdue_last_outage_end_timestamp_seconds', 'End of the last outage: the first heartbeat after it.', [
      ...sample(outage?.until),
    ]),
  ]
}

function instanceFamilies(instances: readonly SeenInstance[], { id, name }: Deps['instance']): Family[] {
  const own = instances.filter((instance) => instance.id === id)
  return [
    gauge('overdue_instances', 'Instances on this database that are alive.', [
      { value: instances.filter(({ isAlive }) => isAlive).length },
    ]),
    gauge('overdue_instance_info', 'Name of this instance; always 1.', [{ labels: { name }, value: 1 }]),
    gauge(
      'overdue_instance_clock_ahead_seconds',
      'How far the clock of this machine is ahead of that of the database.',
      own.map(({ clockAhead: value }) => ({ value })),
    ),
  ]
}

function backupFamilies(newest: BackupState['newest'], failures: number): Family[] {
  const at = newest ? [{ value: seconds(newest.at) }] : []
  const bytes = newest ? [{ value: newest.bytes }] : []
  return [
    gauge('overdue_backup_last_success_timestamp_seconds', 'Time of the newest backup.', at),
    gauge('overdue_backup_last_size_bytes', 'Size of the newest backup.', bytes),
    counter('overdue_backup_failures_total', 'Failed backups of this process.', [{ value: failures }]),
  ]
}

function databaseFamilies(size: DiskUsage, durability: Durability | null): Family[] {
  const samples = Object.entries(size).map(([file, value]) => ({ labels: { file }, value }))
  const waits = durability === null ? [] : [{ value: durability.startsWith('standby') ? 1 : 0 }]
  return [
    gauge('overdue_database_size_bytes', 'Size of the database files.', samples),
    gauge('overdue_database_waits_for_standby', 'Whether a commit waits for a synchronous standby.', waits),
  ]
}

function processFamilies({ version, startedAt, residentMemory, cpuSeconds }: Deps['ownProcess']): Family[] {
  return [
    gauge('process_resident_memory_bytes', 'Resident memory size in bytes.', [{ value: residentMemory() }]),
    counter('process_cpu_seconds_total', 'Total user and system CPU time spent in seconds.', [{ value: cpuSeconds() }]),
    gauge('process_start_time_seconds', 'Start time of the process since unix epoch in seconds.', [
      { value: seconds(startedAt) },
    ]),
    gauge('overdue_build_info', 'Version of Overdue; always 1.', [{ labels: { version }, value: 1 }]),
  ]
}

function seconds(instant: Instant): number {
  return toMicroseconds(instant) / MICROSECONDS
}

function counter(name: string, help: string, samples: readonly Sample[]): Family {
  return { name, help, type: 'counter', samples }
}

function gauge(name: string, help: string, samples: readonly Sample[]): Family {
  return { name, help, type: 'gauge', samples }
}

function histogram(name: string, help: string, value: HistogramCounts): Family {
  return { name, help, type: 'histogram', samples: [{ value }] }
}
