/**
 * Makes one attempt to send an alert: renders the message, sends it, evaluates the answer and masks secrets. Internal errors are reported,
 * so that no alert is lost silently.
 */
import { ANSWER_BODY_KEPT, type AttemptTrace } from '../../domain/alert/attempt.ts'
import { answerWords } from '../../domain/carrier/answer-words.ts'
import type { CarrierName, Exchanges } from '../../domain/carrier/carriers.ts'
import { type Conclusion, MissingSetting } from '../../transports/transport.ts'
import type { Prepared } from './prepare.ts'
import { retryLater, type Sends, sendMessage } from './send-message.ts'

/** The result of sending an alert, without the channel's secrets. */
interface AlertOutcome {
  readonly conclusion: Conclusion
  readonly answer: AttemptTrace['answer']
}

/**
 * Sends an alert, for a delivery or for a channel test. Never throws. If no message can be built from the channel's settings, the alert
 * fails. If a server setting is missing, the alert is retried. {@link sendMessage} handles other cases.
 */
export async function sendAlert(deps: Sends, prepared: Prepared): Promise<AlertOutcome> {
  const { transport, settings, alert, joined, mask } = prepared
  const rendered = render(deps, prepared)
  if ('conclusion' in rendered) return { conclusion: masked(rendered.conclusion, mask), answer: null }
  const { conclusion, answer } = await sendMessage(deps, transport, {
    ...rendered,
    fallback: (given) =>
      alert.taken || joined.length > 0 ? null : (transport.fallback?.(given, alert, settings) ?? null),
    details: { delivery: alert.delivery.id, kind: transport.kind },
  })
  return {
    conclusion: masked(conclusion, mask),
    answer: answer && answerWords(transport.carrier, answer, mask, ANSWER_BODY_KEPT),
  }
}

type Message = Exchanges[CarrierName]['message']

function render(
  { log }: Sends,
  { transport, settings, alert, joined }: Prepared,
): { readonly message: Message; readonly preparation: Message | null } | { readonly conclusion: Conclusion } {
  const { taken } = alert
  const { acknowledgements } = transport
  if (taken && !acknowledgements)
    return { conclusion: { kind: 'fail', error: 'The channel does not announce who is on an incident' } }
  try {
    if (taken && acknowledgements)
      return { message: acknowledgements.render(alert, taken, settings), preparation: null }
    if (transport.digest && (joined.length > 0 || isOutdated(alert)))
      return { message: transport.digest([alert, ...joined], settings), preparation: null }
    const message = transport.render(alert, settings)
    return { message, preparation: transport.prepare?.(alert, settings) ?? null }
  } catch (error) {
    // The operator may add the setting within a day, so the alert is retried for that long.
    if (error instanceof MissingSetting) return { conclusion: retryLater(error.message) }
    // No message can be built from the settings, so a retry would not help. The reason may quote a secret URL.
    log('warning', 'message could not be rendered', { delivery: alert.delivery.id, error: errorName(error) })
    return { conclusion: { kind: 'fail', error: 'The settings are not valid' } }
  }
}

/** Returns true if the alert was held back during quiet hours, and its outage ended before the quiet hours did. */
function isOutdated({ delivery, message, isNewest }: Prepared['alert']): boolean {
  return delivery.heldUntil !== null && message.isDown && !isNewest
}

function errorName(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}

function masked(conclusion: Conclusion, mask: Prepared['mask']): Conclusion {
  return conclusion.kind === 'sent' ? conclusion : { ...conclusion, error: mask(conclusion.error) }
}
