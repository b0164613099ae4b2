/** One attempt to send a delivery: what became of it, and what is kept of it. */

import { ANSWER_BODY_KEPT, type AttemptTrace } from '../../domain/alert/attempt.ts'
import { type DeliveryOrder, type DeliveryResult, keptError } from '../../domain/alert/delivery.ts'
import { nextAttemptAt } from '../../domain/alert/retry.ts'
import { answerWords } from '../../domain/carrier/answer-words.ts'
import { type Masker, maskerOf } from '../../domain/carrier/mask-secrets.ts'
import { UNCONFIRMED } from '../../domain/mail/mail-channel.ts'
import { BoundedCache } from '../../lib/caches/bounded-cache.ts'
import { switchedOff, switchedOffWords } from '../../transports/operator.ts'
import { allSecrets } from '../../transports/settings-form.ts'
import type { Alert, Verdict } from '../../transports/transport.ts'
import type { Deps } from '../common/deps.ts'
import { toAlert } from './alert.ts'
import { sendAlert } from './send-alert.ts'
import { retryLater } from './send-message.ts'

type Needs = Pick<
  Deps,
  'now' | 'stopwatch' | 'random' | 'transports' | 'carriers' | 'operator' | 'log' | 'site' | 'eventLoop'
>

interface AttemptOutcome {
  readonly result: DeliveryResult
  readonly trace: AttemptTrace
}

/** Never throws. Neither the error nor the answer has a secret of the channel. */
export async function attempt(deps: Needs, order: DeliveryOrder): Promise<AttemptOutcome> {
  const { now, stopwatch } = deps
  const beganAt = now()
  const begun = stopwatch()
  const { verdict, answer } = await exchange(deps, order)
  const duration = Math.round((stopwatch() - begun) * 1_000_000)
  return { result: concluded(deps, order, verdict), trace: { beganAt, duration, answer } }
}

interface Exchange {
  readonly verdict: Verdict
  readonly answer: AttemptTrace['answer']
}

async function exchange(deps: Needs, order: DeliveryOrder): Promise<Exchange> {
  const { channel, ...story } = order
  const transport = deps.transports.get(channel.kind)
  if (!transport) return refused(`This version of the server cannot send messages of kind "${channel.kind}"`)
  if (switchedOff(channel.kind, deps.operator) !== null) return refused(switchedOffWords(channel.kind))
  if (channel.disabledReason !== null) return refused(`It is switched off: ${channel.disabledReason}`)
  if (channel.awaitsConfirmation) return refused(UNCONFIRMED)
  const alert = await describe(deps, story)
  if (alert === null) return { verdict: retryLater(NOT_DESCRIBED), answer: null }
  const { verdict, answer } = await sendAlert(deps, transport, alert, channel.settings)
  const mask = maskerFor(allSecrets(transport, channel.settings, deps.operator))
  return {
    verdict: verdict.kind === 'sent' ? verdict : { ...verdict, error: mask(verdict.error) },
    answer: answer && answerWords(transport.carrier, answer, mask, ANSWER_BODY_KEPT),
  }
}

/** Of the channels that were sent to last. */
const MASKERS = new BoundedCache<Masker>(500)

function maskerFor(secrets: readonly string[]): Masker {
  return MASKERS.get(JSON.stringify(secrets), () => maskerOf(secrets))
}

function refused(error: string): Exchange {
  return { verdict: { kind: 'fail', error }, answer: null }
}

const NOT_DESCRIBED = 'Internal error: the alert could not be written; see the server log'

/** Null after an internal error, which a newer version may fix within the day. */
async function describe(deps: Needs, story: Omit<DeliveryOrder, 'channel'>): Promise<Alert | null> {
  try {
    return await toAlert(deps, story)
  } catch (error) {
    deps.log('error', 'alert could not be written', { delivery: story.delivery.id, reason: String(error) })
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
      const error = keptError(verdict.error)
      if (!next) return failed(`${error}; given up after a day`)
      const move = moved && { move: { sentWith: channel.settings, fields: moved } }
      return { state: 'pending', error, nextAttemptAt: next, ...move }
    }
  }
}

function failed(error: string) {
  return { state: 'failed', error: keptError(error), disablesChannel: false } as const
}
