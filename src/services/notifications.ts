/** Notifications: what is owed is claimed, rendered, sent, and its end recorded. */
import type { Delivery, DeliveryEntry, DeliveryOrder, DeliveryResult, DeliveryState } from '../domain/delivery.ts'
import { UserError } from '../domain/errors.ts'
import { switchedOff, switchedOffWords } from '../domain/operator.ts'
import type { Project } from '../domain/project.ts'
import { nextAttemptAt } from '../domain/retry.ts'
import { grantSeats, SEATS, type Seat } from '../domain/seats.ts'
import { addSeconds, type Instant, isAtOrAfter, isBefore, isoSeconds } from '../domain/time.ts'
import { uniqueKey } from '../domain/unique-key.ts'
import type { ClaimRules } from '../store/store.ts'
import type { Alert, Verdict } from '../transports/transport.ts'
import { toAlert } from './alert.ts'
import { UNCONFIRMED } from './confirmation.ts'
import type { Deps } from './deps.ts'
import { createPacing } from './pacing.ts'
import { sendAlert } from './send-alert.ts'
import { retryLater } from './send-message.ts'
import { createTurns } from './turns.ts'

/** How long a crash delays what was on its way. An attempt may take longer: its lease is renewed while it runs. */
const LEASE_SECONDS = 10
/** Three more looks of the loop fit in before such a lease ends. */
const RENEW_WITH_SECONDS_LEFT = 7
const ERROR_LIMIT = 200

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
  | 'onOwed'
  | 'measurements'
>

/** Carries out what is owed, a bounded number at a time; a slow receiver keeps its own seat and nobody else's. */
export interface Courier {
  /**
   * Takes what is due and begins to send it, and keeps what is being sent from falling due again; to be called every
   * second. Written before sent and recorded after: a crash in between sends it once more, under the same delivery id.
   * @returns when the next delivery is due; null when nothing is, or when the end of a running attempt will tell
   */
  deliverDue(): Promise<Instant | null>
  /** Resolves when nothing is being sent. */
  drain(): Promise<void>
}

interface Attempt {
  readonly order: DeliveryOrder
  leaseEndsAt: Instant
}

export function createCourier(deps: Needs): Courier {
  const { store, now, log, onOwed } = deps
  const running = new Map<Promise<void>, Attempt>()
  const pacing = createPacing(deps)
  const turns = createTurns()

  const begin = (order: DeliveryOrder, leaseEndsAt: Instant) => {
    turns.record(order.channel.id)
    const attempt = deliver(deps, order)
      .catch((error) => log('error', 'delivery not recorded', { delivery: order.delivery.id, reason: String(error) }))
      .finally(() => {
        running.delete(attempt)
        // A seat is free, and a later flip may have waited for this one.
        onOwed()
      })
    running.set(attempt, { order, leaseEndsAt })
  }

  const renew = async () => {
    const attempts = [...running.values()]
    const soon = addSeconds(now(), RENEW_WITH_SECONDS_LEFT)
    if (!attempts.some(({ leaseEndsAt }) => isAtOrAfter(soon, leaseEndsAt))) return
    const leases = attempts.map(({ order, leaseEndsAt }) => ({ delivery: order.delivery, endsAt: leaseEndsAt }))
    const endsAt = addSeconds(now(), LEASE_SECONDS)
    await store.renewLeases(leases, endsAt)
    for (const attempt of attempts) attempt.leaseEndsAt = endsAt
  }

  const rules: ClaimRules = {
    choose(due) {
      const taken = [...running.values()].map(({ order: { channel } }): Seat => {
        return { channelId: channel.id, host: channel.host }
      })
      const ready = due.filter(({ channelId }) => !pacing.isWaiting(channelId))
      return grantSeats(ready, taken, turns.last)
    },
    admits: pacing.admits,
  }

  return {
    async deliverDue() {
      // First, so that nobody takes for lost what this process is sending, were it itself after a long standstill.
      await renew()
      const next = await store.nextDeliveryAt()
      if (next === null || isBefore(now(), next)) return next
      if (running.size >= SEATS.total) return null
      const leaseEndsAt = addSeconds(now(), LEASE_SECONDS)
      const claimed = await store.claimDeliveries(now(), leaseEndsAt, rules)
      for (const order of claimed) begin(order, leaseEndsAt)
      return claimed.length > 0 ? store.nextDeliveryAt() : pacing.nextAt()
    },
    async drain() {
      while (running.size > 0) await Promise.all(running.keys())
    },
  }
}

async function deliver(deps: Needs, order: DeliveryOrder): Promise<void> {
  const { store, now, stopwatch, log, measurements } = deps
  const result = await attempt(deps, order)
  await store.recordDelivery(order.delivery, result, now())
  measurements.countAttempt(order.channel.kind, result.state === 'pending' ? 'retried' : result.state, stopwatch())
  const details = {
    delivery: order.delivery.id,
    check: uniqueKey(order.check.id),
    channel: order.channel.id,
    kind: order.channel.kind,
    status: order.flip.newStatus,
    attempts: order.delivery.attempts,
  }
  if (result.state === 'sent') log('info', 'delivery sent', details)
  else
    log('warning', `delivery ${result.state === 'failed' ? 'failed' : 'will be tried again'}`, {
      ...details,
      error: result.error,
      ...(result.state === 'pending' ? { next_attempt: isoSeconds(result.nextAttemptAt) } : {}),
    })
}

async function attempt(deps: Needs, order: DeliveryOrder): Promise<DeliveryResult> {
  const { channel, ...story } = order
  const transport = deps.transports.get(channel.kind)
  if (!transport) return failed(`This version cannot send to channels of kind "${channel.kind}"`)
  if (switchedOff(channel.kind, deps.operator) !== null) return failed(switchedOffWords(channel.kind))
  if (channel.disabledReason !== null) return failed(`The channel is disabled: ${channel.disabledReason}`)
  if (channel.awaitsConfirmation) return failed(UNCONFIRMED)
  const alert = describe(deps, story)
  const verdict = alert === null ? retryLater(NOT_DESCRIBED) : await sendAlert(deps, transport, alert, channel.settings)
  return concluded(deps, order, verdict)
}

const NOT_DESCRIBED = 'This server failed to describe what happened; its log says why'

/** Null for a fault of ours, which a newer version may have fixed within the day. */
function describe(deps: Needs, story: Omit<DeliveryOrder, 'channel'>): Alert | null {
  try {
    return toAlert(deps, story)
  } catch (error) {
    deps.log('error', 'alert cannot be described', { delivery: story.delivery.id, reason: String(error) })
    return null
  }
}

function concluded({ random, now }: Needs, { delivery, channel }: DeliveryOrder, verdict: Verdict): DeliveryResult {
  switch (verdict.kind) {
    case 'sent':
      return { state: 'sent' }
    case 'fail':
      return failed(verdict.error)
    case 'disable':
      return { ...failed(verdict.error), disablesChannel: true }
    case 'retry': {
      const { attempts, createdAt } = delivery
      const { retryAfterSeconds, moved } = verdict
      const next = nextAttemptAt({ attempts, createdAt, retryAfterSeconds }, now(), random.fraction())
      const error = verdict.error.slice(0, ERROR_LIMIT)
      if (!next) return failed(`${error}; given up after a day`)
      const move = moved && { move: { sentWith: channel.settings, fields: moved } }
      return { state: 'pending', error, nextAttemptAt: next, ...move }
    }
  }
}

function failed(error: string) {
  return { state: 'failed', error: error.slice(0, ERROR_LIMIT), disablesChannel: false } as const
}

/**
 * Makes a failed delivery pending again. It is tried at once, and after a day since it was owed no more than this once.
 * @param idOrStart the id of the delivery, or as many of its first characters as no other has
 * @returns the delivery as it was
 * @throws UserError when there is none or several of that id, or it cannot be tried now
 */
export async function retryDelivery(
  { store, now, onOwed }: Pick<Deps, 'store' | 'now' | 'onOwed'>,
  idOrStart: string,
): Promise<Delivery> {
  const found = /^[0-9a-f-]{4,36}$/.test(idOrStart) ? await store.findDeliveries(idOrStart, 2) : []
  const [delivery, other] = found
  if (!delivery) throw new UserError(`there is no delivery "${idOrStart}"`, 'see `overdue delivery list`')
  if (other)
    throw new UserError(
      `several deliveries begin with "${idOrStart}"`,
      'use the whole id: `overdue delivery list --json`',
    )
  if (delivery.state === 'pending')
    throw new UserError(`delivery ${delivery.id} is pending already`, 'see NEXT in `overdue delivery list`')
  if (delivery.state === 'sent')
    throw new UserError(`delivery ${delivery.id} was sent`, 'only failed deliveries can be retried')
  if (!(await store.retryDelivery(delivery.id, now()))) {
    const why = 'a later alert of the same check to the same channel is pending'
    throw new UserError(
      `delivery ${delivery.id} cannot be retried now: ${why}`,
      'try again when that has ended: `overdue delivery list`',
    )
  }
  onOwed()
  return delivery
}

/** Newest first. @param state null for all */
export function listDeliveries(
  { store }: Pick<Deps, 'store'>,
  project: Project,
  state: DeliveryState | null,
  limit: number,
): Promise<DeliveryEntry[]> {
  return store.listDeliveries(project.id, state, limit)
}
