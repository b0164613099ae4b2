/** One attempt to send one alert: rendered, carried, judged. A fault of ours in any of them never loses it silently. */
import { type Carrier, type CarrierName, type Exchanges, isTaken } from '../domain/carriers.ts'
import { type Alert, MissingSetting, type Transport, type Verdict } from '../transports/transport.ts'
import type { Deps } from './deps.ts'

type Needs = Pick<Deps, 'carriers' | 'now' | 'log'>

/**
 * Shared by deliveries and tests of a channel. Never throws: settings that give no message fail, a setting of the operator's
 * that is missing and a carrier that throws are retried, and a message that was taken counts as sent also where its answer
 * could not be judged, since the receiver has it.
 */
export async function sendAlert<Name extends CarrierName>(
  deps: Needs,
  transport: Transport<Name>,
  alert: Alert,
  settings: unknown,
): Promise<Verdict> {
  const rendered = render(deps, transport, alert, settings)
  if (rendered.kind === 'unsendable') return rendered.verdict
  const carry: Carrier<Name> = async (message) => deps.carriers[transport.carrier](message)
  const logFault = (what: string) => (error: unknown) => {
    deps.log('error', what, { delivery: alert.delivery.id, kind: transport.kind, reason: String(error) })
    return null
  }
  // Whatever becomes of it, the message goes after it.
  if (rendered.preparation) await carry(rendered.preparation).catch(logFault('preparation of a message failed'))
  const answer = await carry(rendered.message).catch(logFault('message could not be carried'))
  if (answer === null) return retryLater(CARRIER_FAULT)
  const plainer = attempt(
    () => transport.plainer?.(answer, alert, settings),
    logFault('plainer message cannot be made'),
  )
  const last = plainer ? await carry(plainer).catch(logFault('message could not be carried')) : answer
  if (last === null) return retryLater(CARRIER_FAULT)
  const verdict = attempt(() => transport.judge(last, deps.now()), logFault('answer cannot be judged'))
  return verdict ?? (isTaken(transport.carrier, last) ? { kind: 'sent' } : retryLater('The answer was not understood'))
}

const CARRIER_FAULT = 'This server failed to send the message; its log says why'

function attempt<Result>(work: () => Result, onFault: (error: unknown) => null): Result | null {
  try {
    return work()
  } catch (error) {
    return onFault(error)
  }
}

type Rendered<Message> =
  | { readonly kind: 'sendable'; readonly message: Message; readonly preparation: Message | null }
  | { readonly kind: 'unsendable'; readonly verdict: Verdict }

function render<Name extends CarrierName>(
  { log }: Needs,
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

export function retryLater(error: string): Verdict {
  return { kind: 'retry', error, retryAfterSeconds: null }
}
