/**
 * What the server counts about itself since it was started: plain numbers in memory, cheap enough for each ping. Read by
 * `server-metrics.ts` and `readiness.ts`.
 */
import type { ChannelKind } from '../domain/channel.ts'
import { Histogram } from '../domain/histogram.ts'
import { type Instant, microsecondsBetween } from '../domain/time.ts'
import type { ArrivalOutcome } from '../store/store.ts'

/** Seconds that only go forward, from whatever beginning. */
export type Stopwatch = () => number

/** `failed`: it could not be written, and the client was told so. */
export type PingResult = ArrivalOutcome | 'failed'

/** What an attempt at a delivery came to. */
export type AttemptResult = 'sent' | 'failed' | 'retried'

const COMMIT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256]
const LAG_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60]

/** One run of a loop's job. */
export interface LoopRun {
  /** when the run before had asked for this one; null when it had not, or for later */
  readonly dueAt: Instant | null
  readonly startedAt: Instant
  readonly endedAt: Instant
  readonly hasFailed: boolean
}

/** A loop that was started. */
export class LoopFigures {
  readonly lagSeconds = new Histogram(LAG_SECONDS)
  failures = 0
  lastRunAt: Instant | null = null
  /** by the stopwatch: whether a loop works is no matter of the wall clock, which may be set */
  lastRun: number | null = null
  /** by the stopwatch */
  lastSuccess: number | null = null

  /**
   * @param started by the stopwatch
   * @param patienceSeconds a loop of which no run has succeeded for longer does not work
   */
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

/** Of the backups that the server takes itself. */
export class BackupFigures {
  failures = 0
  lastFailureAt: Instant | null = null
  /** the newest there is, also one of an earlier process; null before the first */
  newest: { readonly at: Instant; readonly bytes: number } | null = null

  succeeded(at: Instant, bytes: number): void {
    this.newest = { at, bytes }
  }

  failed(at: Instant): void {
    this.failures += 1
    this.lastFailureAt = at
  }
}

export class Measurements {
  readonly pings: Record<PingResult, number> = {
    ok: 0,
    created: 0,
    rejected: 0,
    'not-found': 0,
    ambiguous: 0,
    failed: 0,
  }
  /** of transactions that hold pings, the sync of the disk included */
  readonly commitSeconds = new Histogram(COMMIT_SECONDS)
  readonly batchSizes = new Histogram(BATCH_SIZES)
  /** by name, in the order in which they were started */
  readonly loops = new Map<string, LoopFigures>()
  readonly attempts = new Map<ChannelKind, Record<AttemptResult, number>>()
  /** when the last attempt ended, by the stopwatch */
  lastAttempt: number | null = null
  /** null where the server takes no backups */
  backups: BackupFigures | null = null

  /** @param ended by the stopwatch */
  countAttempt(kind: ChannelKind, result: AttemptResult, ended: number): void {
    const counts = this.attempts.get(kind) ?? { sent: 0, failed: 0, retried: 0 }
    counts[result] += 1
    this.attempts.set(kind, counts)
    this.lastAttempt = ended
  }

  /** Counts a loop's lag and life from now on. @param started by the stopwatch */
  startLoop(name: string, started: number, patienceSeconds: number): LoopFigures {
    const figures = new LoopFigures(started, patienceSeconds)
    this.loops.set(name, figures)
    return figures
  }
}
