/** Late failures: a service took a message and says afterwards that it could not be delivered. */
import { oneLine } from '../domain/text.ts'
import { addSeconds } from '../domain/time.ts'
import type { Deps } from './deps.ts'

export interface LateFailure {
  readonly error: string
  readonly disablesChannel: boolean
}

/** After that nobody can be told any more what became of a message. */
const WINDOW_SECONDS = 3_600
const ERROR_LIMIT = 200

/** Does nothing for a delivery that is unknown, was not sent, or was sent more than an hour ago. */
export async function reportFailure(
  { store, now, log }: Pick<Deps, 'store' | 'now' | 'log'>,
  deliveryId: string,
  failure: LateFailure,
): Promise<void> {
  const error = [...oneLine(failure.error)].slice(0, ERROR_LIMIT).join('')
  const sentSince = addSeconds(now(), -WINDOW_SECONDS)
  const known = await store.failSentDelivery(deliveryId, { ...failure, error }, sentSince)
  if (known) log('warning', 'delivery failed after it was sent', { delivery: deliveryId, error })
}
