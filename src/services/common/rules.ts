/** Binds the domain rules to this server's clock and random source. The store applies the rules inside its transactions. */

import type { Channel } from '../../domain/channel/channel.ts'
import { newCheck, type WatchedCheck } from '../../domain/check/check.ts'
import { alertAfter, flipIfOverdue } from '../../domain/check/status.ts'
import { uniqueKey } from '../../domain/check/unique-key.ts'
import { receive } from '../../domain/ping/ping.ts'
import { silenceOfPing } from '../../domain/silence/ping-silence.ts'
import { addSeconds } from '../../lib/time.ts'
import type { NewDelivery, Rules, Told } from '../../store/store.ts'
import { channelHears } from '../../transports/transport.ts'
import type { Deps } from './deps.ts'
import { newIdentity } from './identity.ts'

const POSTPONED_SECONDS = 3_600

/** @param judge determines what happens to a check whose deadline has passed */
export function rules(
  { now, random, transports, log }: Pick<Deps, 'now' | 'random' | 'transports' | 'log'>,
  judge: Rules['judge'] = flipIfOverdue,
): Rules {
  /**
   * Uses a fallback if a stored schedule can no longer be evaluated, for example because its time zone was removed from the time zone
   * data. The check is then evaluated again in an hour. Pings to the check, and other checks, are not affected.
   */
  const unlessUnreadable = <Result>(check: WatchedCheck, work: () => Result, otherwise: () => Result): Result => {
    try {
      return work()
    } catch (error) {
      log('error', 'cannot evaluate schedule, edit the check', { check: uniqueKey(check.id), reason: String(error) })
      return otherwise()
    }
  }
  const deliveriesFor = (told: Told, channels: readonly Channel[]): NewDelivery[] =>
    channels
      .filter((channel) => channelHears(transports, channel, told.news))
      .map((channel) => ({
        id: random.uuid(),
        checkId: told.checkId,
        eventN: told.n,
        channelId: channel.id,
        state: 'pending',
        attempts: 0,
        createdAt: now(),
        givesUpAcknowledgements: transports.get(channel.kind)?.acknowledgements !== undefined,
        heldUntil: null,
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
    provision: (projectId, slug, createdAt, timing) => ({
      ...newCheck({ ...newIdentity(random), projectId, createdAt }),
      ...timing,
      name: slug,
      slug,
    }),
    silence: (check, asked, at) => silenceOfPing(random.uuid(), check, asked, at),
    deliveriesFor,
  }
}
