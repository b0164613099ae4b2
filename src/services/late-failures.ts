/** Late failures: a service took a message and says afterwards that it could not be delivered. */
import { withoutSecrets } from '../domain/discretion.ts'
import { oneLine } from '../domain/text.ts'
import { addSeconds } from '../domain/time.ts'
import type { LateFailure } from '../store/store.ts'
import type { Deps } from './deps.ts'

export type ReportedFailure = Pick<LateFailure, 'error' | 'disablesChannel'>

/** After that nobody can be told any more what became of a message. */
const WINDOW_SECONDS = 3_600
const ERROR_LIMIT = 200

/**
 * Does nothing for a delivery that is unknown, was not sent, was sent more than an hour ago, or went to a channel of a kind
 * without status callbacks: other receivers know the id of what they got, and have nothing to report.
 */
export async function reportFailure(
  { store, now, log, transports }: Pick<Deps, 'store' | 'now' | 'log' | 'transports'>,
  deliveryId: string,
  failure: ReportedFailure,
): Promise<void> {
  const error = [...withoutSecrets(oneLine(failure.error))].slice(0, ERROR_LIMIT).join('')
  const sentSince = addSeconds(now(), -WINDOW_SECONDS)
  const kinds = new Set([...transports.values()].filter((one) => one.hasStatusCallback).map(({ kind }) => kind))
  const known = await store.failSentDelivery(deliveryId, { ...failure, error, sentSince, kinds })
  if (known) log('warning', 'delivery failed after it was sent', { delivery: deliveryId, error })
}
