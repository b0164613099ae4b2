/** Pings: received, listed, read. */
import { Refusal } from '../domain/errors.ts'
import type { Project } from '../domain/project.ts'
import type { CheckWithChannels } from '../domain/representation.ts'
import { pairRuns } from '../domain/runs.ts'
import type { Signal, SignalTarget } from '../domain/signal.ts'
import type { Arrival, ArrivalOutcome, PingSummary, TargetState } from '../store/store.ts'
import type { Deps } from './deps.ts'
import { GroupCommit } from './group-commit.ts'
import { rules } from './rules.ts'

/** Big enough to share a sync among many, small enough that nobody waits long for the others. */
const BATCH_LIMIT = 256
const QUEUE_LIMIT = 10_000

export interface PingReceiver {
  /**
   * Resolves when the ping is on disk, or was refused and has changed nothing.
   * @param signal null when the request is not understood but names a target: whether that exists is told first
   * @throws Refusal `unavailable` when it cannot be written; then nothing of it is
   */
  receive(target: SignalTarget, signal: Signal | null): Promise<ArrivalOutcome>
  /** Resolves when everything received so far is on disk. */
  drain(): Promise<void>
}

export function createPingReceiver(
  deps: Pick<
    Deps,
    'store' | 'now' | 'random' | 'transports' | 'log' | 'onOwed' | 'onPrunable' | 'stopwatch' | 'measurements'
  >,
): PingReceiver {
  const { store, now, onOwed, onPrunable, stopwatch, measurements } = deps
  const applied = rules(deps)
  const commits = new GroupCommit<Arrival, ArrivalOutcome>({
    batchLimit: BATCH_LIMIT,
    queueLimit: QUEUE_LIMIT,
    stopwatch,
    onRefused: (count) => {
      measurements.pings.failed += count
    },
    commit: async (arrivals) => {
      const began = stopwatch()
      const { outcomes, owed, prunable } = await store.commitPings(arrivals, applied)
      measurements.commitSeconds.observe(stopwatch() - began)
      measurements.batchSizes.observe(arrivals.length)
      for (const outcome of outcomes) measurements.pings[outcome] += 1
      if (owed) onOwed()
      if (prunable) onPrunable()
      return outcomes
    },
  })
  return {
    receive: (target, signal) => commits.add({ target, signal, receivedAt: now() }),
    drain: () => commits.drain(),
  }
}

/** Whether a ping to this target would find a check now. @throws Refusal `unavailable` */
export function findTarget({ store }: Pick<Deps, 'store'>, target: SignalTarget): Promise<TargetState> {
  return store.findTarget(target)
}

export interface ListedPing extends PingSummary {
  /** microseconds of the run that this ping ended; null when it ended none */
  readonly duration: number | null
}

/** A start may lie outside the page; logs keep up to this many entries beyond their limit. */
const LOOK_BACK = 100

/** The log, newest first, as far as the project keeps it. */
export async function listPings(
  { store }: Pick<Deps, 'store'>,
  project: Project,
  { check }: CheckWithChannels,
): Promise<ListedPing[]> {
  const log = await store.listPings(check.id, project.pingLogLimit + LOOK_BACK)
  const durations = pairRuns(log.toReversed())
  // Counted from the newest entry, since pings may have come after the check was read; numbers have no gaps.
  return log.slice(0, project.pingLogLimit).map((ping) => ({ ...ping, duration: durations.get(ping.n) ?? null }))
}

/**
 * The bytes of one ping; null when there are none or the log no longer shows it.
 * @throws Refusal `not-found` when the log had no room for them
 */
export async function findPingBody(
  { store, pingLogBytes }: Pick<Deps, 'store' | 'pingLogBytes'>,
  project: Project,
  { check }: CheckWithChannels,
  n: number,
): Promise<Uint8Array | null> {
  if (n <= check.nPings - project.pingLogLimit) return null
  const ping = await store.findPing(check.id, n)
  if (ping?.droppedBytes == null) return ping?.body ?? null
  throw new Refusal(
    'not-found',
    `the body of this ping (${ping.droppedBytes} bytes) was dropped, ` +
      `because the bodies in a check's log are limited to ${pingLogBytes} bytes (PING_LOG_BYTES)`,
  )
}
