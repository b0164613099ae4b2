/** A loop's job. It runs at each tick of its loop, on request, and at the time that its last run returned, but never twice at once. */
import { type Clock, type Instant, isAtOrAfter } from '../lib/time.ts'
import type { LoopRun } from '../services/common/ports/measurements.ts'

/** Later times need no timer, because the loop ticks at least once a minute. */
const ALARM_RANGE_MS = 61_000

export interface Job {
  /** Enables the job. Until then, ticks and requests do nothing. */
  start(): void
  /** Runs the work now, or once more after the current run. */
  run(): void
  /** Prevents further runs. Resolves when the current run has ended. */
  stop(): Promise<void>
}

interface JobOptions {
  /** @returns the latest time for the next run; null to wait for the loop's next tick */
  readonly work: () => Promise<Instant | null>
  readonly now: Clock
  readonly onError: (error: unknown) => void
  /** Called once, when the job starts. @returns a function to call with each finished run */
  readonly onStart: () => (run: LoopRun) => void
}

export function createJob({ work, now, onError, onStart }: JobOptions): Job {
  let running: Promise<void> | null = null
  let again = false
  /** null before the start and after the stop */
  let record: ((run: LoopRun) => void) | null = null
  let alarm: ReturnType<typeof setTimeout> | undefined
  /** the time that the last successful run returned for the next run */
  let next: Instant | null = null

  const arm = (at: Instant | null) => {
    clearTimeout(alarm)
    const delay = at === null ? Number.POSITIVE_INFINITY : at.epochMilliseconds - now().epochMilliseconds
    if (delay < ALARM_RANGE_MS && record) alarm = setTimeout(run, Math.max(1, delay + 1))
  }

  const runOnce = async (recordRun: (run: LoopRun) => void) => {
    const startedAt = now()
    const dueAt = next !== null && isAtOrAfter(startedAt, next) ? next : null
    let hasFailed = false
    try {
      next = await work()
      arm(next)
    } catch (error) {
      hasFailed = true
      onError(error)
    }
    recordRun({ dueAt, startedAt, endedAt: now(), hasFailed })
  }

  const untilDone = async (recordRun: (run: LoopRun) => void) => {
    do {
      again = false
      await runOnce(recordRun)
    } while (again && record)
    running = null
  }

  function run(): void {
    if (!record) return
    again = running !== null
    running ??= untilDone(record)
  }

  return {
    start() {
      record = onStart()
    },
    run,
    async stop() {
      record = null
      clearTimeout(alarm)
      await running
    },
  }
}
