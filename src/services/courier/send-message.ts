/** Sends a message and evaluates the answer. Internal errors are reported, so that no message is lost silently. */
import { type Carrier, type CarrierName, type Exchanges, isAccepted } from '../../domain/carrier/carriers.ts'
import type { Conclusion, Transport } from '../../transports/transport.ts'
import type { Deps } from '../common/deps.ts'

export type Sends = Pick<Deps, 'carriers' | 'now' | 'log'>

interface Outgoing<Name extends CarrierName> {
  readonly message: Exchanges[Name]['message']
  /** message to send first; the actual message is sent even if that one fails */
  readonly preparation?: Exchanges[Name]['message'] | null
  /** returns a simpler message to send if the answer shows that one is needed; otherwise null */
  readonly fallback?: (answer: Exchanges[Name]['answer']) => Exchanges[Name]['message'] | null
  /** details for the log */
  readonly details: Readonly<Record<string, unknown>>
}

/** The result of sending a message. */
export interface Outcome<Name extends CarrierName = CarrierName> {
  readonly conclusion: Conclusion
  /** the last answer; null if nothing was sent, or the carrier failed */
  readonly answer: Exchanges[Name]['answer'] | null
}

/**
 * Sends a message. Never throws. If the carrier throws, the message is retried. Once the receiver has accepted a message, it counts as
 * sent, even if the answer could not be evaluated.
 */
export async function sendMessage<Name extends CarrierName>(
  deps: Sends,
  transport: Pick<Transport<Name>, 'carrier' | 'judge'>,
  { message, preparation, fallback, details }: Outgoing<Name>,
): Promise<Outcome<Name>> {
  const carry: Carrier<Name> = async (given) => deps.carriers[transport.carrier](given)
  const logFault = (what: string) => (error: unknown) => {
    deps.log('error', what, { ...details, reason: String(error) })
    return null
  }
  if (preparation) await carry(preparation).catch(logFault('preparing a message failed'))
  const answer = await carry(message).catch(logFault('message could not be sent'))
  if (answer === null) return { conclusion: retryLater(CARRIER_FAULT), answer }
  const plain = attempt(() => fallback?.(answer), logFault('fallback message could not be rendered'))
  const last = plain ? await carry(plain).catch(logFault('message could not be sent')) : answer
  if (last === null) return { conclusion: retryLater(CARRIER_FAULT), answer: last }
  const conclusion = attempt(() => transport.judge(last, deps.now()), logFault('answer could not be judged'))
  const unjudged = (): Conclusion =>
    isAccepted(transport.carrier, last) ? { kind: 'sent' } : retryLater('The answer was not understood')
  return { conclusion: conclusion ?? unjudged(), answer: last }
}

const CARRIER_FAULT = 'Internal error: the message could not be sent; see the server log'

function attempt<Result>(work: () => Result, onFault: (error: unknown) => null): Result | null {
  try {
    return work()
  } catch (error) {
    return onFault(error)
  }
}

export function retryLater(error: string): Conclusion {
  return { kind: 'retry', error, retryAfterSeconds: null }
}
