/** One attempt to send an alert: render, carry, judge. An internal error in any of these never loses it silently. */
import type { CarrierName, Exchanges } from '../../domain/carrier/carriers.ts'
import { type Alert, MissingSetting, type Transport, type Verdict } from '../../transports/transport.ts'
import { type Outcome, retryLater, type Sends, sendMessage } from './send-message.ts'

/**
 * For deliveries and for tests of a channel. Never throws: settings that do not make a message fail, a missing setting of
 * the operator is retried, and the rest is as in {@link sendMessage}.
 */
export async function sendAlert<Name extends CarrierName>(
  deps: Sends,
  transport: Transport<Name>,
  alert: Alert,
  settings: unknown,
): Promise<Outcome<Name>> {
  const rendered = render(deps, transport, alert, settings)
  if (rendered.kind === 'unsendable') return { verdict: rendered.verdict, answer: null }
  return sendMessage(deps, transport, {
    message: rendered.message,
    preparation: rendered.preparation,
    fallback: (answer) => transport.fallback?.(answer, alert, settings) ?? null,
    details: { delivery: alert.delivery.id, kind: transport.kind },
  })
}

type Rendered<Message> =
  | { readonly kind: 'sendable'; readonly message: Message; readonly preparation: Message | null }
  | { readonly kind: 'unsendable'; readonly verdict: Verdict }

function render<Name extends CarrierName>(
  { log }: Sends,
  transport: Transport<Name>,
  alert: Alert,
  settings: unknown,
): Rendered<Exchanges[Name]['message']> {
  try {
    const message = transport.render(alert, settings)
    return { kind: 'sendable', message, preparation: transport.prepare?.(alert, settings) ?? null }
  } catch (error) {
    // The operator may set it within the day; until then the alert is retried.
    if (error instanceof MissingSetting) return { kind: 'unsendable', verdict: retryLater(error.message) }
    // The settings do not make a message, so a retry does not help. The reason may quote a secret URL.
    log('warning', 'message could not be rendered', { delivery: alert.delivery.id, error: errorName(error) })
    return { kind: 'unsendable', verdict: { kind: 'fail', error: 'The settings are not valid' } }
  }
}

function errorName(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}
