/** One attempt to send one alert: rendered, carried, judged. A fault of ours in any of them never loses it silently. */
import type { CarrierName, Exchanges } from '../domain/carriers.ts'
import { type Alert, MissingSetting, type Transport, type Verdict } from '../transports/transport.ts'
import { retryLater, type Sends, sendMessage } from './send-message.ts'

/**
 * Shared by deliveries and tests of a channel. Never throws: settings that give no message fail, a setting of the operator's
 * that is missing is waited for, and the rest is as {@link sendMessage} has it.
 */
export async function sendAlert<Name extends CarrierName>(
  deps: Sends,
  transport: Transport<Name>,
  alert: Alert,
  settings: unknown,
): Promise<Verdict> {
  const rendered = render(deps, transport, alert, settings)
  if (rendered.kind === 'unsendable') return rendered.verdict
  return sendMessage(deps, transport, {
    message: rendered.message,
    preparation: rendered.preparation,
    plainer: (answer) => transport.plainer?.(answer, alert, settings) ?? null,
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
    // The operator may set it within the day, and nothing is lost until then.
    if (error instanceof MissingSetting) return { kind: 'unsendable', verdict: retryLater(error.message) }
    // Settings that no message can be made from: trying again will not help. The reason may quote a secret URL.
    log('warning', 'message cannot be made', { delivery: alert.delivery.id, error: errorName(error) })
    return { kind: 'unsendable', verdict: { kind: 'fail', error: "The channel's settings give no valid message" } }
  }
}

function errorName(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}
