/** The courier claims due deliveries, renders and sends them, and records the results. */

import { CONCURRENCY_LIMIT, type Recipient } from '../../domain/alert/concurrency-limit.ts'
import type { Delivery } from '../../domain/alert/delivery.ts'
import { uniqueKey } from '../../domain/check/unique-key.ts'
import { addSeconds, type Instant, isAtOrAfter, isBefore, isoSeconds } from '../../lib/time.ts'
import type { ClaimedOrder, ClaimRules } from '../../store/store.ts'
import type { Deps } from '../common/deps.ts'
import { attempt } from './attempt.ts'
import { createFairQueue } from './fair-queue.ts'
import type { PrepareDeps } from './prepare.ts'
import { createReceiverRateLimit } from './receiver-rate-limit.ts'
import { shareComparisons } from './shared-comparisons.ts'

/**
 * Duration of a lease, in seconds. After a crash, deliveries that were being sent are delayed by this long. An attempt may take longer than
 * its lease, because the lease is renewed during the attempt.
 */
const LEASE_SECONDS = 10
/** A lease is renewed when this many seconds are left, so that it does not expire even if the loop is late several times in a row. */
const RENEW_WITH_SECONDS_LEFT = 7

type Needs = Pick<
  Deps,
  | 'store'
  | 'now'
  | 'stopwatch'
  | 'random'
  | 'transports'
  | 'carriers'
  | 'operator'
  | 'log'
  | 'site'
  | 'onDeliveriesCreated'
  | 'measurements'
  | 'eventLoop'
  | 'pingBodyLimit'
>

/** Sends due deliveries, a limited number at a time. A slow receiver does not delay deliveries to other receivers. */
export interface Courier {
  /**
   * Claims due deliveries, starts to send them, and renews the leases of running attempts. Call this every second. A delivery is claimed
   * before it is sent, and its result is recorded afterwards. If the process crashes in between, the delivery is sent again with the same
   * id.
   * @returns when to call this again; null if nothing is due, or if a running attempt will call `onDeliveriesCreated` when it ends
   */
  deliverDue(): Promise<Instant | null>
  /** Resolves when no more deliveries are being sent. */
  drain(): Promise<void>
}

interface Attempt {
  readonly order: ClaimedOrder
  leaseEndsAt: Instant
}

export function createCourier(deps: Needs): Courier {
  const { store, now, log, onDeliveriesCreated } = deps
  const compareLastPing = shareComparisons(deps)
  const running = new Map<Promise<void>, Attempt>()
  const rateLimit = createReceiverRateLimit(deps)
  const queue = createFairQueue()

  const begin = (order: ClaimedOrder, leaseEndsAt: Instant) => {
    queue.recordServed(order.channel.id)
    const attempt = deliver({ ...deps, compareLastPing }, order)
      .catch((error) => log('error', 'cannot record delivery', { delivery: order.delivery.id, reason: String(error) }))
      .finally(() => {
        running.delete(attempt)
        // There is room for another delivery, and a later flip's delivery may have been waiting for this one.
        onDeliveriesCreated()
      })
    running.set(attempt, { order, leaseEndsAt })
  }

  const renew = async () => {
    const attempts = [...running.values()]
    const soon = addSeconds(now(), RENEW_WITH_SECONDS_LEFT)
    if (!attempts.some(({ leaseEndsAt }) => isAtOrAfter(soon, leaseEndsAt))) return
    const leases = attempts.flatMap(({ order, leaseEndsAt }) =>
      deliveriesOf(order).map((delivery) => ({ delivery, endsAt: leaseEndsAt })),
    )
    const endsAt = addSeconds(now(), LEASE_SECONDS)
    await store.deliveries.renewLeases(leases, endsAt)
    for (const attempt of attempts) attempt.leaseEndsAt = endsAt
  }

  const rules: ClaimRules = {
    choose(due) {
      const underWay = [...running.values()].map(({ order: { channel } }): Recipient => {
        return { channelId: channel.id, host: channel.host }
      })
      const ready = due.filter(({ channelId }) => !rateLimit.isWaiting(channelId))
      return queue.next(ready, underWay)
    },
    admits: rateLimit.admits,
    joins: ({ kind }) => deps.transports.get(kind)?.digest !== undefined,
  }

  return {
    async deliverDue() {
      // Leases are renewed first, so that no process claims a delivery that this process is still sending. After a stall, even this process
      // could claim such a delivery again.
      await renew()
      const next = await store.deliveries.nextAt()
      if (next === null || isBefore(now(), next)) return next
      if (running.size >= CONCURRENCY_LIMIT.total) return null
      const leaseEndsAt = addSeconds(now(), LEASE_SECONDS)
      const claimed = await store.deliveries.claim(now(), leaseEndsAt, rules)
      for (const order of claimed) begin(order, leaseEndsAt)
      return claimed.length > 0 ? store.deliveries.nextAt() : rateLimit.nextAt()
    },
    async drain() {
      while (running.size > 0) await Promise.all(running.keys())
    },
  }
}

/** Returns all deliveries that are sent in one message. */
function deliveriesOf({ delivery, joined }: ClaimedOrder): readonly Delivery[] {
  return [delivery, ...joined]
}

async function deliver(deps: Needs & Pick<PrepareDeps, 'compareLastPing'>, order: ClaimedOrder): Promise<void> {
  const { store, now, stopwatch, log, measurements } = deps
  const { result, trace } = await attempt(deps, order)
  await store.deliveries.record(deliveriesOf(order), result, trace, now())
  measurements.countAttempt(order.channel.kind, result.state === 'pending' ? 'retried' : result.state, stopwatch())
  const details = {
    delivery: order.delivery.id,
    check: uniqueKey(order.check.id),
    channel: order.channel.id,
    kind: order.channel.kind,
    status: order.taken ? 'acknowledged' : order.flip.newStatus,
    attempts: order.delivery.attempts,
    ...(order.joined.length > 0 ? { joined: order.joined.length } : {}),
  }
  if (result.state === 'sent') log('info', 'delivery sent', details)
  else
    log('warning', `delivery ${result.state === 'failed' ? 'failed' : 'will be tried again'}`, {
      ...details,
      error: result.error,
      ...(result.state === 'pending' ? { next_attempt: isoSeconds(result.nextAttemptAt ?? now()) } : {}),
    })
}
