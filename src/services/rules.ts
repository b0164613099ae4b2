/** The domain's rules, bound to this server's clock and randomness, as the store applies them inside its transactions. */
import type { Channel } from '../domain/channel.ts'
import { newCheck, type WatchedCheck } from '../domain/check.ts'
import type { Delivery } from '../domain/delivery.ts'
import type { Flip } from '../domain/flip.ts'
import { receive } from '../domain/ping.ts'
import { alertAfter, flipIfOverdue } from '../domain/status.ts'
import { addSeconds } from '../domain/time.ts'
import { uniqueKey } from '../domain/unique-key.ts'
import type { Rules } from '../store/store.ts'
import { channelWants } from '../transports/transport.ts'
import type { Deps } from './deps.ts'

type Needs = Pick<Deps, 'now' | 'random' | 'transports' | 'log'>

const POSTPONED_SECONDS = 3_600

/** @param judge what silence does to a check that the loop has found */
export function rules({ now, random, transports, log }: Needs, judge: Rules['judge'] = flipIfOverdue): Rules {
  /**
   * A schedule that was stored once can become unreadable, as when a time zone leaves the zone data. Such a check is
   * looked at again in an hour, and neither its pings nor the other checks suffer.
   */
  const unlessUnreadable = <Result>(check: WatchedCheck, work: () => Result, otherwise: () => Result): Result => {
    try {
      return work()
    } catch (error) {
      log('error', 'check cannot be judged', { check: uniqueKey(check.id), reason: String(error) })
      return otherwise()
    }
  }
  const owe = (flip: Flip, channels: readonly Channel[]): Delivery[] =>
    channels
      .filter((channel) => channelWants(transports, channel, flip))
      .map((channel) => ({
        id: random.uuid(),
        checkId: flip.checkId,
        flipN: flip.n,
        channelId: channel.id,
        state: 'pending',
        attempts: 0,
        createdAt: now(),
      }))
  return {
    now,
    receive,
    judge: (check, at) =>
      unlessUnreadable(
        check,
        () => judge(check, at),
        () => null,
      ),
    alertAfter: (check, current) =>
      unlessUnreadable(
        check,
        () => alertAfter(check, current),
        () => addSeconds(now(), POSTPONED_SECONDS),
      ),
    provision: (projectId, slug, createdAt) => ({
      ...newCheck({ id: random.uuid(), projectId, badgeKey: random.uuid(), createdAt }),
      name: slug,
      slug,
    }),
    owe,
  }
}
