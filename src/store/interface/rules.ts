/** The domain rules that the store applies. */

import type { Delivery, News } from '../../domain/alert/delivery.ts'
import type { Channel } from '../../domain/channel/channel.ts'
import type { Check, WatchedCheck } from '../../domain/check/check.ts'
import type { Flip } from '../../domain/check/flip.ts'
import type { GivenTiming } from '../../domain/ping/given-timing.ts'
import type { Received } from '../../domain/ping/ping.ts'
import type { Signal } from '../../domain/ping/signal.ts'
import type { PingSilence } from '../../domain/silence/ping-silence.ts'
import type { Silence, SilencedCheck } from '../../domain/silence/silence.ts'
import type { Clock, Instant } from '../../lib/time.ts'

interface Judgement {
  /** the check after it was judged; if there is a flip, its status is the only change */
  readonly check: WatchedCheck
  readonly flip: Flip | null
}

/** An event that channels are alerted about. */
export interface Told extends Pick<Flip, 'checkId' | 'n'> {
  readonly news: News
}

/** A delivery that will be written. */
export interface NewDelivery extends Delivery {
  /** whether acknowledgements may have been sent to its channel; if so, those that the channel has not accepted are no longer retried */
  readonly givesUpAcknowledgements: boolean
}

/** Pure rules that the store applies to the rows that it has locked. */
export interface Rules {
  readonly now: Clock
  receive(check: WatchedCheck, signal: Signal, now: Instant): Received
  /** @returns the check with its flip once the check is overdue; null before its deadline */
  judge(check: WatchedCheck, now: Instant): Judgement | null
  /**
   * @returns the time when the loop should next judge the check, see `alertAfter` in the domain; `current` itself if that time does not
   * change
   */
  alertAfter(check: WatchedCheck, current: Instant | null): Instant | null
  /** @param timing the timing in the ping URL @returns the check that a ping with `create=1` creates */
  provision(projectId: string, slug: string, now: Instant, timing: GivenTiming): Check
  /** @returns the silence to store when one is requested through a check's ping URL */
  silence(check: Pick<SilencedCheck, 'id' | 'projectId'>, asked: PingSilence, now: Instant): Silence
  /** @returns the deliveries for an event @param channels the enabled channels of the event's check */
  deliveriesFor(told: Told, channels: readonly Channel[]): readonly NewDelivery[]
}
