/**
 * Counters of this server since its start. They are plain numbers in memory, so updating them for each ping is cheap.
 * `server-metrics.ts` and `readiness.ts` read them.
 */
import type { ChannelKind } from '../../../domain/channel/channel-kind.ts'
import { Histogram } from '../../../lib/figures/histogram.ts'
import { type Instant, microsecondsBetween } from '../../../lib/time.ts'
import type { ArrivalOutcome } from '../../../store/store.ts'

/** Returns seconds on a monotonic clock. Only differences between these times are meaningful. */
export type Stopwatch = () => number

/** The result of a ping; `failed` if the ping could not be written and the client got an error. */
type PingResult = ArrivalOutcome | 'failed'

type AttemptResult = 'sent' | 'failed' | 'retried'

const COMMIT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256]
const LAG_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60]

/** One run of a background loop. */
export interface LoopRun {
  /** when the previous run scheduled this one to start; null if this run started earlier, or if nothing was scheduled */
  readonly dueAt: Instant | null
  readonly startedAt: Instant
  readonly endedAt: Instant
  readonly hasFailed: boolean
}

/** Metrics of one loop. */
export class LoopFigures {
  readonly lagSeconds = new Histogram(LAG_SECONDS)
  failures = 0
  lastRunAt: Instant | null = null
  /** stopwatch time, because the wall clock can be changed */
  lastRun: number | null = null
  /** stopwatch time */
  lastSuccess: number | null = null

  /** @param started stopwatch time @param patienceSeconds seconds without a successful run after which the loop counts as broken */
  constructor(
    readonly started: number,
    readonly patienceSeconds: number,
  ) {}

  /** @param ended stopwatch time */
  record({ dueAt, startedAt, endedAt, hasFailed }: LoopRun, ended: number): void {
    if (dueAt !== null) this.lagSeconds.observe(microsecondsBetween(dueAt, startedAt) / 1_000_000)
    this.lastRunAt = endedAt
    this.lastRun = ended
    if (hasFailed) this.failures += 1
    else this.lastSuccess = ended
  }
}

/** Metrics for the backups that this process has taken. The time of the last successful backup is stored in the database. */
export interface BackupFigures {
  failures: number
}

export class Measurements {
  /** null if the database is not a file */
  readonly backups: BackupFigures | null

  constructor({ inFile }: { readonly inFile: boolean } = { inFile: false }) {
    this.backups = inFile ? { failures: 0 } : null
  }

  readonly pings: Record<PingResult, number> = {
    ok: 0,
    created: 0,
    rejected: 0,
    'not-found': 0,
    ambiguous: 0,
    failed: 0,
  }
  /** duration of the transactions that write pings, including the disk sync */
  readonly commitSeconds = new Histogram(COMMIT_SECONDS)
  readonly batchSizes = new Histogram(BATCH_SIZES)
  /** metrics by loop name, in the order in which the loops started */
  readonly loops = new Map<string, LoopFigures>()
  readonly attempts = new Map<ChannelKind, Record<AttemptResult, number>>()
  /** stopwatch time at which the last attempt ended */
  lastAttempt: number | null = null

  /** number and total duration of check examinations, which look for advice */
  readonly looks = { count: 0, seconds: 0 }

  /** Number of pings, whatever their result. */
  get pingCount(): number {
    return Object.values(this.pings).reduce((sum, count) => sum + count, 0)
  }

  /** @param ended stopwatch time */
  countAttempt(kind: ChannelKind, result: AttemptResult, ended: number): void {
    const counts = this.attempts.get(kind) ?? { sent: 0, failed: 0, retried: 0 }
    counts[result] += 1
    this.attempts.set(kind, counts)
    this.lastAttempt = ended
  }

  countLooks(count: number, seconds: number): void {
    this.looks.count += count
    this.looks.seconds += seconds
  }

  /**
   * Adds a loop's metrics.
   * @param started stopwatch time
   */
  startLoop(name: string, started: number, patienceSeconds: number): LoopFigures {
    const figures = new LoopFigures(started, patienceSeconds)
    this.loops.set(name, figures)
    return figures
  }
}
