/** The rules of the domain that the store applies. */

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
  /** only its status has changed if there is a flip */
  readonly check: WatchedCheck
  readonly flip: Flip | null
}

/** An event about which channels are alerted. */
export interface Told extends Pick<Flip, 'checkId' | 'n'> {
  readonly news: News
}

/** A delivery that is about to be written. */
export interface OwedDelivery extends Delivery {
  /** whether its channel may have been sent acknowledgements; those that it has failed to accept are then given up */
  readonly givesUpAcknowledgements: boolean
}

/** The pure rules that the store applies to the rows it has locked. */
export interface Rules {
  readonly now: Clock
  receive(check: WatchedCheck, signal: Signal, now: Instant): Received
  /** @returns the check once it is overdue, with its flip; null before its deadline */
  judge(check: WatchedCheck, now: Instant): Judgement | null
  /** @returns when the loop judges the check next, see `alertAfter` in the domain; `current` itself if unchanged */
  alertAfter(check: WatchedCheck, current: Instant | null): Instant | null
  /** @param timing the timing in the ping URL @returns the check that a ping with `create=1` creates */
  provision(projectId: string, slug: string, now: Instant, timing: GivenTiming): Check
  /** @returns the silence of a check that its ping URL requests */
  silence(check: Pick<SilencedCheck, 'id' | 'projectId'>, asked: PingSilence, now: Instant): Silence
  /** @returns the deliveries for an event @param channels enabled channels of its check */
  owe(told: Told, channels: readonly Channel[]): readonly OwedDelivery[]
}
