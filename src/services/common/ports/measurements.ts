/**
 * Counters of the server about itself since its start: plain numbers in memory, cheap enough for each ping. `server-metrics.ts` and
 * `readiness.ts` read them.
 */
import type { ChannelKind } from '../../../domain/channel/channel-kind.ts'
import { Histogram } from '../../../lib/figures/histogram.ts'
import { type Instant, microsecondsBetween } from '../../../lib/time.ts'
import type { ArrivalOutcome } from '../../../store/store.ts'

/** Seconds of a monotonic clock: only differences have a meaning. */
export type Stopwatch = () => number

/** The result of a ping. `failed`: it could not be written, and the client got an error. */
type PingResult = ArrivalOutcome | 'failed'

type AttemptResult = 'sent' | 'failed' | 'retried'

const COMMIT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256]
const LAG_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60]

/** A run of a loop's job. */
export interface LoopRun {
  /** the time that the last run requested; null if it requested none, or a later one */
  readonly dueAt: Instant | null
  readonly startedAt: Instant
  readonly endedAt: Instant
  readonly hasFailed: boolean
}

/** Figures of one loop. */
export class LoopFigures {
  readonly lagSeconds = new Histogram(LAG_SECONDS)
  failures = 0
  lastRunAt: Instant | null = null
  /** by the stopwatch, since the wall clock can be set */
  lastRun: number | null = null
  /** by the stopwatch */
  lastSuccess: number | null = null

  /** @param started by the stopwatch @param patienceSeconds a loop without a successful run for this long counts as broken */
  constructor(
    readonly started: number,
    readonly patienceSeconds: number,
  ) {}

  /** @param ended by the stopwatch */
  record({ dueAt, startedAt, endedAt, hasFailed }: LoopRun, ended: number): void {
    if (dueAt !== null) this.lagSeconds.observe(microsecondsBetween(dueAt, startedAt) / 1_000_000)
    this.lastRunAt = endedAt
    this.lastRun = ended
    if (hasFailed) this.failures += 1
    else this.lastSuccess = ended
  }
}

/** Figures of the backups by this process. The database stores when one last succeeded. */
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
  /** of transactions that write pings, including the disk sync */
  readonly commitSeconds = new Histogram(COMMIT_SECONDS)
  readonly batchSizes = new Histogram(BATCH_SIZES)
  /** figures by name, in the order in which the loops were started */
  readonly loops = new Map<string, LoopFigures>()
  readonly attempts = new Map<ChannelKind, Record<AttemptResult, number>>()
  /** when the last attempt ended, by the stopwatch */
  lastAttempt: number | null = null

  /** number and duration of the looks of the doctor at checks */
  readonly looks = { count: 0, seconds: 0 }

  /** Number of pings with any result. */
  get pingCount(): number {
    return Object.values(this.pings).reduce((sum, count) => sum + count, 0)
  }

  /** @param ended by the stopwatch */
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

  /** Adds a loop. @param started by the stopwatch */
  startLoop(name: string, started: number, patienceSeconds: number): LoopFigures {
    const figures = new LoopFigures(started, patienceSeconds)
    this.loops.set(name, figures)
    return figures
  }
}
