/** Receives, lists and reads pings. */

import { type Actor, requireRight } from '../../domain/actor.ts'
import type { Check } from '../../domain/check/check.ts'
import { Refusal } from '../../domain/errors.ts'
import { pairRuns } from '../../domain/log/runs.ts'
import { PING_BODY_BYTES_MAX, type Signal, type SignalTarget } from '../../domain/ping/signal.ts'
import { GroupCommit } from '../../lib/work/group-commit.ts'
import type { Arrival, ArrivalOutcome, PingSummary, TargetState } from '../../store/store.ts'
import type { Deps } from '../common/deps.ts'
import { rules } from '../common/rules.ts'
import { PingKeyUses } from './ping-key-uses.ts'

/**
 * Maximum number of pings per batch. A batch should be large, so that many pings share a disk sync, but not so large that a ping has to
 * wait long for the others.
 */
const BATCH_LIMIT = 256
const QUEUE_LIMIT = 10_000
/** Maximum total size of the bodies in a batch of several pings, in bytes. Larger batches would delay other pings. */
const BATCH_BODY_BYTES = PING_BODY_BYTES_MAX

export interface PingReceiver {
  /**
   * Resolves when the ping is on disk, or when it was rejected without changing anything.
   * @param signal null if the request has a target but is otherwise invalid; if the target does not exist either, that is reported first
   * @param rest the part of a long body after the first megabyte, which is in the signal; the part is split into pieces of half a megabyte;
   * omitted if the signal contains the complete body
   * @throws Refusal `unavailable` or `overloaded` if the ping cannot be written; Error if pieces of `rest` are lost; in these cases nothing
   * is changed
   */
  receive(target: SignalTarget, signal: Signal | null, rest?: readonly Uint8Array[]): Promise<ArrivalOutcome>
  /** Resolves when all pings received so far are on disk. */
  drain(): Promise<void>
}

export function createPingReceiver(
  deps: Pick<
    Deps,
    | 'store'
    | 'now'
    | 'random'
    | 'transports'
    | 'log'
    | 'onDeliveriesCreated'
    | 'onPrunable'
    | 'stopwatch'
    | 'measurements'
    | 'background'
  >,
): PingReceiver {
  const { store, now, random, onDeliveriesCreated, onPrunable, stopwatch, measurements } = deps
  const applied = rules(deps)
  const keyUses = new PingKeyUses(deps)
  const commits = new GroupCommit<Arrival, ArrivalOutcome>({
    batchLimit: BATCH_LIMIT,
    weightLimit: BATCH_BODY_BYTES,
    weigh: ({ signal }) => signal?.body?.length ?? 0,
    queueLimit: QUEUE_LIMIT,
    queueFull: () => new Refusal('overloaded', 'the server is overloaded, please try again'),
    failsAll: (error) => error instanceof Refusal,
    stopwatch,
    onRefused: (count) => {
      measurements.pings.failed += count
    },
    commit: async (arrivals) => {
      const began = stopwatch()
      const { outcomes, owed, prunable } = await store.pings.commit(arrivals, applied)
      measurements.commitSeconds.observe(stopwatch() - began)
      measurements.batchSizes.observe(arrivals.length)
      for (const [index, outcome] of outcomes.entries()) {
        measurements.pings[outcome] += 1
        const arrival = arrivals[index]
        if (isKept(outcome) && arrival?.target.kind === 'slug') {
          const { pingKey, slug } = arrival.target
          keyUses.note(pingKey, slug, arrival.receivedAt)
        }
      }
      if (owed) onDeliveriesCreated()
      if (prunable) onPrunable()
      return outcomes
    },
  })
  const receiveLong = async (target: SignalTarget, signal: Signal | null, pieces: readonly Uint8Array[]) => {
    const id = random.uuid()
    let outcome: ArrivalOutcome | null = null
    try {
      const rest = await store.pings.keepRest(id, pieces, now())
      outcome = await commits.add({ target, signal, rest, receivedAt: now() })
      return outcome
    } finally {
      // If the removal fails, retention removes the pieces an hour later.
      if (!isKept(outcome)) await store.pings.dropRest(id).catch(() => {})
    }
  }
  const long = new Set<Promise<ArrivalOutcome>>()
  return {
    receive(target, signal, rest = []) {
      if (rest.length === 0) return commits.add({ target, signal, receivedAt: now() })
      const received = receiveLong(target, signal, rest).finally(() => long.delete(received))
      long.add(received)
      return received
    },
    async drain() {
      while (long.size > 0) await Promise.allSettled(long)
      await commits.drain()
    },
  }
}

function isKept(outcome: ArrivalOutcome | null): boolean {
  return outcome === 'ok' || outcome === 'created'
}

/** Returns true if a ping to this target would find a check now. @throws Refusal `unavailable` */
export function findTarget({ store }: Pick<Deps, 'store'>, target: SignalTarget): Promise<TargetState> {
  return store.pings.findTarget(target)
}

/**
 * Returns an email's target, and whether the target exists. Mail programs may convert addresses to lower case, but Healthchecks' ping keys
 * contain capital letters. If no project has the key, it matches a key that differs only in case, provided that there is only one.
 * @throws Refusal `unavailable`
 */
export async function findMailTarget(
  deps: Pick<Deps, 'store'>,
  given: SignalTarget,
): Promise<{ readonly target: SignalTarget; readonly state: TargetState }> {
  const state = await findTarget(deps, given)
  const pingKey = state === 'not-found' && given.kind === 'slug' ? await deps.store.keys.findPing(given.pingKey) : null
  if (pingKey === null || given.kind === 'id') return { target: given, state }
  const target = { ...given, pingKey }
  return { target, state: await findTarget(deps, target) }
}

export interface ListedPing extends PingSummary {
  /** duration of the run that this ping ended, in microseconds; null if it did not end a run */
  readonly duration: number | null
}

/** Number of entries to read beyond a page to find the start of a run. A log may exceed its limit by up to this many entries. */
export const LOOK_BACK = 100

/** Lists the log entries that the project stores, newest first. */
export async function listPings({ store }: Pick<Deps, 'store'>, actor: Actor, check: Check): Promise<ListedPing[]> {
  requireRight(actor, 'read', check)
  const { pingLogLimit } = actor.project
  const log = await store.pings.list(check.id, pingLogLimit + LOOK_BACK)
  const durations = pairRuns(log.toReversed())
  // The limit is counted from the newest entry, because pings may have arrived since the check was read.
  return log.slice(0, pingLogLimit).map((ping) => ({ ...ping, duration: durations.get(ping.n) ?? null }))
}

/**
 * Returns a ping's body. Returns null if the ping has no body, or is no longer in the visible part of the log.
 * @throws Refusal `not-found` if the body was dropped
 */
export async function findPingBody(
  { store, pingLogBytes }: Pick<Deps, 'store' | 'pingLogBytes'>,
  actor: Actor,
  check: Check,
  n: number,
): Promise<Uint8Array | null> {
  requireRight(actor, 'read', check)
  if (n <= check.nPings - actor.project.pingLogLimit) return null
  const ping = await store.pings.find(check.id, n)
  if (ping?.droppedBytes == null) return ping?.body ?? null
  throw new Refusal(
    'not-found',
    `the body of this ping (${ping.droppedBytes} bytes) was dropped, ` +
      `because the bodies in a check's log are limited to ${pingLogBytes} bytes (PING_LOG_BYTES)`,
  )
}
