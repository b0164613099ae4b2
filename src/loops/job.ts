/** A job that runs when its loop ticks, when it is asked to, and at the very instant it has named; never twice at once. */
import { type Clock, type Instant, isAtOrAfter } from '../domain/time.ts'
import type { LoopRun } from '../services/measurements.ts'

/** The ticks of the loop, a minute apart at most, find everything that is further away than this. */
const ALARM_RANGE_MS = 61_000

export interface Job {
  /** Runs the work; while it is running, once more afterwards. */
  run(): void
  /** No further runs; resolves when the present one has ended. */
  stop(): Promise<void>
}

export interface JobOptions {
  /** @returns when to run again at the latest; null leaves that to the loop */
  readonly work: () => Promise<Instant | null>
  readonly now: Clock
  readonly onError: (error: unknown) => void
  /** told of each run when it has ended */
  readonly onRun: (run: LoopRun) => void
}

export function createJob({ work, now, onError, onRun }: JobOptions): Job {
  let running: Promise<void> | null = null
  let again = false
  let stopped = false
  let alarm: ReturnType<typeof setTimeout> | undefined
  /** what the last run that has not failed has named */
  let next: Instant | null = null

  const arm = (at: Instant | null) => {
    clearTimeout(alarm)
    const delay = at === null ? Number.POSITIVE_INFINITY : at.epochMilliseconds - now().epochMilliseconds
    if (delay < ALARM_RANGE_MS && !stopped) alarm = setTimeout(run, Math.max(1, delay + 1))
  }

  const runOnce = async () => {
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
    onRun({ dueAt, startedAt, endedAt: now(), hasFailed })
  }

  const untilDone = async () => {
    do {
      again = false
      await runOnce()
    } while (again && !stopped)
    running = null
  }

  function run(): void {
    if (stopped) return
    again = running !== null
    running ??= untilDone()
  }

  return {
    run,
    async stop() {
      stopped = true
      clearTimeout(alarm)
      await running
    },
  }
}
