/** Makes one attempt to send a delivery, and returns the result and the trace to store. */

import type { AttemptTrace } from '../../domain/alert/attempt.ts'
import { type Delivery, type DeliveryResult, keptError } from '../../domain/alert/delivery.ts'
import { nextAttempt, owedAt } from '../../domain/alert/retry.ts'
import type { ClaimedOrder } from '../../store/store.ts'
import type { Conclusion } from '../../transports/transport.ts'
import type { Deps } from '../common/deps.ts'
import { type PrepareDeps, prepareDelivery } from './prepare.ts'
import { sendAlert } from './send-alert.ts'
import type { Sends } from './send-message.ts'

type Needs = PrepareDeps & Sends & Pick<Deps, 'stopwatch' | 'random'>

interface AttemptOutcome {
  readonly result: DeliveryResult
  readonly trace: AttemptTrace
}

/** Makes one attempt to send a delivery. Never throws. Neither the error nor the answer contains the channel's secrets. */
export async function attempt(deps: Needs, order: ClaimedOrder): Promise<AttemptOutcome> {
  const { now, stopwatch } = deps
  const beganAt = now()
  const begun = stopwatch()
  const prepared = await prepareDelivery(deps, order)
  const { conclusion, answer } =
    'conclusion' in prepared ? { ...prepared, answer: null } : await sendAlert(deps, prepared)
  const duration = Math.round((stopwatch() - begun) * 1_000_000)
  return { result: concluded(deps, order, conclusion), trace: { beganAt, duration, answer } }
}

function concluded(
  { random, now }: Needs,
  { delivery, channel, joined }: ClaimedOrder,
  conclusion: Conclusion,
): DeliveryResult {
  // The receiver may have rejected the entire message because of text that one of the alerts quotes.
  const refused = (error: string): DeliveryResult =>
    joined.length > 0 ? { state: 'pending', error: keptError(error), nextAttemptAt: null } : failed(error)
  switch (conclusion.kind) {
    case 'sent':
      return { state: 'sent' }
    case 'fail':
      return refused(conclusion.error)
    case 'disable':
      return { ...failed(conclusion.error), disablesChannel: true }
    case 'retry': {
      const { retryAfterSeconds, moved } = conclusion
      const nextOf = (one: Delivery) =>
        nextAttempt({ attempts: one.attempts, owedAt: owedAt(one), retryAfterSeconds }, now(), random.fraction())
      const next = nextOf(delivery)
      const error = keptError(conclusion.error)
      if (next.at === null) {
        const isOver = joined.every((one) => nextOf(one).at === null)
        return (isOver ? failed : refused)(`${error}; ${next.reason}`)
      }
      const move = moved && { move: { sentWith: channel.settings, fields: moved } }
      return { state: 'pending', error, nextAttemptAt: next.at, ...move }
    }
  }
}

function failed(error: string) {
  return { state: 'failed', error: keptError(error), disablesChannel: false } as const
}
