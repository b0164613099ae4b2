/** Notifications: what is owed is claimed, rendered, sent, and its end recorded. */
import type { CarrierName } from '../domain/carriers.ts'
import type { DeliveryEntry, DeliveryOrder, DeliveryResult, DeliveryState } from '../domain/delivery.ts'
import type { Project } from '../domain/project.ts'
import { nextAttemptAt } from '../domain/retry.ts'
import { addSeconds, type Instant, isBefore, isoSeconds } from '../domain/time.ts'
import { uniqueKey } from '../domain/unique-key.ts'
import { type Alert, MissingSetting, type Transport, type Verdict } from '../transports/transport.ts'
import { toAlert } from './alert.ts'
import type { Deps } from './deps.ts'

/** Deliveries on their way at once: in all, and of one channel, so that a slow receiver leaves seats for the others. */
const SEATS = 128
const SEATS_PER_CHANNEL = 4
/** Longer than any attempt takes, so that only a crash lets a lease run out. */
const LEASE_SECONDS = 60
const ERROR_LIMIT = 200

type Needs = Pick<Deps, 'store' | 'now' | 'random' | 'transports' | 'carriers' | 'operator' | 'log' | 'site' | 'onOwed'>

/** Carries out what is owed, a bounded number at a time; a slow receiver keeps its own few seats and nobody else's. */
export interface Courier {
  /**
   * Takes what is due and begins to send it. Written before sent and recorded after: a crash in between sends it once
   * more, under the same delivery id.
   * @returns when the next delivery is due; null when nothing is, or when the end of a running attempt will tell
   */
  deliverDue(): Promise<Instant | null>
  /** Resolves when nothing is being sent. */
  drain(): Promise<void>
}

export function createCourier(deps: Needs): Courier {
  const { store, now, log, onOwed } = deps
  const running = new Map<Promise<void>, string>()

  const begin = (order: DeliveryOrder) => {
    const attempt = deliver(deps, order)
      .catch((error) => log('error', 'delivery not recorded', { delivery: order.delivery.id, reason: String(error) }))
      .finally(() => {
        running.delete(attempt)
        // A seat is free, and a later flip may have waited for this one.
        onOwed()
      })
    running.set(attempt, order.channel.id)
  }

  return {
    async deliverDue() {
      const next = await store.nextDeliveryAt()
      if (next === null || isBefore(now(), next)) return next
      const total = SEATS - running.size
      if (total <= 0) return null
      const limits = { total, perChannel: SEATS_PER_CHANNEL, busyChannels: fullChannels(running.values()) }
      const claimed = await store.claimDeliveries(now(), addSeconds(now(), LEASE_SECONDS), limits)
      for (const order of claimed) begin(order)
      return claimed.length > 0 ? store.nextDeliveryAt() : null
    },
    async drain() {
      while (running.size > 0) await Promise.all(running.keys())
    },
  }
}

/** The channels that have all their seats taken. */
function fullChannels(channelIds: Iterable<string>): string[] {
  const taken = new Map<string, number>()
  for (const id of channelIds) taken.set(id, (taken.get(id) ?? 0) + 1)
  return [...taken].filter(([, seats]) => seats >= SEATS_PER_CHANNEL).map(([id]) => id)
}

async function deliver(deps: Needs, order: DeliveryOrder): Promise<void> {
  const { store, now, log } = deps
  const result = await attempt(deps, order)
  await store.recordDelivery(order.delivery, result, now())
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
  if (channel.disabledReason !== null) return failed(`The channel is disabled: ${channel.disabledReason}`)
  try {
    return concluded(deps, order, await sendAlert(deps, transport, toAlert(deps, story), channel.settings))
  } catch (error) {
    if (error instanceof MissingSetting) return failed(error.message)
    // Settings that no message can be made from: trying again will not help. The reason may quote a secret URL.
    deps.log('warning', 'message cannot be made', { delivery: order.delivery.id, error: errorName(error) })
    return failed("The channel's settings give no valid message")
  }
}

function errorName(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}

/** Shared by deliveries and tests of a channel. */
export async function sendAlert<Name extends CarrierName>(
  { carriers, now }: Pick<Deps, 'carriers' | 'now'>,
  transport: Transport<Name>,
  alert: Alert,
  settings: unknown,
): Promise<Verdict> {
  const carry = carriers[transport.carrier]
  const message = transport.render(alert, settings)
  const preparation = transport.prepare?.(alert, settings)
  if (preparation) await carry(preparation)
  return transport.judge(await carry(message), now())
}

function concluded({ random, now }: Needs, { delivery }: DeliveryOrder, verdict: Verdict): DeliveryResult {
  switch (verdict.kind) {
    case 'sent':
      return { state: 'sent' }
    case 'fail':
      return failed(verdict.error)
    case 'disable':
      return { ...failed(verdict.error), disablesChannel: true }
    case 'retry': {
      const { attempts, createdAt } = delivery
      const { retryAfterSeconds } = verdict
      const next = nextAttemptAt({ attempts, createdAt, retryAfterSeconds }, now(), random.fraction())
      const error = verdict.error.slice(0, ERROR_LIMIT)
      return next ? { state: 'pending', error, nextAttemptAt: next } : failed(`${error}; given up after a day`)
    }
  }
}

function failed(error: string) {
  return { state: 'failed', error: error.slice(0, ERROR_LIMIT), disablesChannel: false } as const
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
