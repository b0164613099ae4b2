/** One message on its way: carried and judged. A fault of ours in either never loses it silently. */
import { type Carrier, type CarrierName, type Exchanges, isTaken } from '../domain/carriers.ts'
import type { Transport, Verdict } from '../transports/transport.ts'
import type { Deps } from './deps.ts'

export type Sends = Pick<Deps, 'carriers' | 'now' | 'log'>

export interface Outgoing<Name extends CarrierName> {
  readonly message: Exchanges[Name]['message']
  /** what goes before it; whatever becomes of that, the message goes after it */
  readonly preparation?: Exchanges[Name]['message'] | null
  /** the same in other words, where the answer asks for that; null: it does not */
  readonly plainer?: (answer: Exchanges[Name]['answer']) => Exchanges[Name]['message'] | null
  /** for the log */
  readonly details: Readonly<Record<string, unknown>>
}

/**
 * Never throws: after a carrier that throws it is tried again, and a message that was taken counts as sent also where its
 * answer could not be judged, since the receiver has it.
 */
export async function sendMessage<Name extends CarrierName>(
  deps: Sends,
  transport: Pick<Transport<Name>, 'carrier' | 'judge'>,
  { message, preparation, plainer, details }: Outgoing<Name>,
): Promise<Verdict> {
  const carry: Carrier<Name> = async (given) => deps.carriers[transport.carrier](given)
  const logFault = (what: string) => (error: unknown) => {
    deps.log('error', what, { ...details, reason: String(error) })
    return null
  }
  if (preparation) await carry(preparation).catch(logFault('preparation of a message failed'))
  const answer = await carry(message).catch(logFault('message could not be carried'))
  if (answer === null) return retryLater(CARRIER_FAULT)
  const plain = attempt(() => plainer?.(answer), logFault('plainer message cannot be made'))
  const last = plain ? await carry(plain).catch(logFault('message could not be carried')) : answer
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

export function retryLater(error: string): Verdict {
  return { kind: 'retry', error, retryAfterSeconds: null }
}
