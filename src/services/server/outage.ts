/**
 * Handles outages of the server itself. The server records heartbeats. After a gap between heartbeats, it spares the checks that could not
 * have been pinged. If the clock was set forward, that looks like a gap. If the clock was set back, the last heartbeat is in the future.
 */
import { flipIfOverdue, spareIfOverdue } from '../../domain/check/status.ts'
import { addSeconds, earlier, type Instant, isBefore, isoSeconds, later } from '../../lib/time.ts'
import type { Outage } from '../../store/store.ts'
import type { Deps } from '../common/deps.ts'
import { rules } from '../common/rules.ts'
import { judgeOverdue } from '../pings/flips.ts'
import { type Beat, type BeatDeps, createBeats } from './instances.ts'

const BEAT_SECONDS = 10
/**
 * Minimum gap that counts as an outage, in seconds. A heartbeat interval plus a restart takes less time, and clients keep retrying during
 * shorter gaps.
 */
const OUTAGE_SECONDS = 15
/**
 * Minimum number of seconds by which the clock must have been set back for this to be handled. A smaller change delays alerts only by its
 * own length.
 */
const STEP_BACK_SECONDS = 60

type Needs = Pick<Deps, 'store' | 'now' | 'readClock' | 'random' | 'transports' | 'onDeliveriesCreated' | 'log'>

/**
 * Records a heartbeat. If an outage is detected, a check whose deadline passed during the outage gets its grace time again, counted from
 * now, but at most 15 minutes. A check that a user monitors again, and that has sent nothing since, gets no such time and goes down. If the clock was set back, checks, deliveries and reminders
 * stop waiting for times that are now far in the future.
 * @param beat this instance's report; null to report nothing
 * @returns the outage; null if the last heartbeat is recent, or if this is the first heartbeat
 */
export async function recoverFromOutage(deps: Needs, beat: Beat | null = null): Promise<Outage | null> {
  const { store, now, log } = deps
  const until = beat?.instance.seenAt ?? (await deps.readClock()).at
  const from = await store.server.findAlive()
  const outage = from !== null && isBefore(addSeconds(from, OUTAGE_SECONDS), until) ? { from, until } : null
  if (outage) await spareOverdue(deps, now())
  const wasSetBack = from !== null && isBefore(addSeconds(until, STEP_BACK_SECONDS), from)
  // Until this heartbeat, this instance stored timestamps from a clock that was ahead of the database.
  const wasOwnSetBack = beat !== null && beat.setBackBy > STEP_BACK_SECONDS
  if (wasSetBack || wasOwnSetBack) {
    await pullBack(deps, wasSetBack ? from : addSeconds(until, beat?.setBackBy ?? 0), until)
  }
  // Sparing many checks takes a long time. Pings are accepted in the meantime, so that time does not count as an outage.
  const aliveAt = outage ? later(until, now()) : until
  await store.server.recordAlive(aliveAt, outage ?? undefined, beat?.instance)
  if (outage) {
    const what =
      'no server was running, or none could write; checks that became overdue get one extra grace period, at most 15 minutes'
    log('warning', what, { from: isoSeconds(outage.from), until: isoSeconds(outage.until) })
  }
  return outage
}

async function pullBack({ store, log }: Needs, from: Instant, until: Instant): Promise<void> {
  const checks = await store.server.pullBack(until)
  log('warning', 'the clock was set back; stored times that are now in the future were moved to the present', {
    from: isoSeconds(from),
    until: isoSeconds(until),
    checks,
  })
}

async function spareOverdue(deps: Needs, at: Instant): Promise<void> {
  const { store } = deps
  const sparing = rules(deps, (check, now) => {
    const spared = spareIfOverdue(check, now)
    return spared ? { check: spared, flip: null } : flipIfOverdue(check, now)
  })
  // All instances detect the outage and share the work, and then each instance waits for the others. Once the heartbeat is recorded,
  // the outage can no longer be detected, so all checks must be handled before that.
  for (const locked of ['skip', 'wait'] as const) {
    let next = await store.flips.nextLookAt()
    while (next !== null && !isBefore(at, next)) {
      next = await judgeOverdue(deps, at, sparing, locked)
    }
  }
}

/**
 * Returns a function that records a heartbeat every few seconds; call that function before each search for overdue checks. The heartbeat
 * also detects outages that the process survived, for example because the machine slept or the database could not be written. It also
 * detects changes to this machine's clock.
 * @returns the time up to which outages are known; it may be used to judge checks
 */
export function createHeartbeat(deps: Needs & BeatDeps): () => Promise<Instant> {
  const nextBeat = createBeats(deps)
  let lastBeat: Instant | null = null
  return async () => {
    const at = deps.now()
    const isDue = lastBeat === null || isBefore(at, lastBeat) || !isBefore(at, addSeconds(lastBeat, BEAT_SECONDS))
    if (!isDue) return at
    const beat = await nextBeat()
    await recoverFromOutage(deps, beat)
    const { seenAt } = beat.instance
    lastBeat = earlier(at, seenAt)
    return seenAt
  }
}

/** Records the last heartbeat of a server that is stopping. Other instances can then take over its leases on their next attempt. */
export async function recordStop(deps: Pick<Deps, 'store' | 'readClock' | 'instance'>): Promise<void> {
  const { at } = await deps.readClock()
  await deps.store.server.recordStop(at, deps.instance.id)
}
