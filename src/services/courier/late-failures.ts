/** Records late failures. A service may accept a message and later report that it could not be delivered. */
import { keptError } from '../../domain/alert/delivery.ts'
import { redact } from '../../domain/redaction.ts'
import { oneLine } from '../../lib/text/text.ts'
import { addSeconds } from '../../lib/time.ts'
import type { LateFailure } from '../../store/store.ts'
import type { Deps } from '../common/deps.ts'

export type ReportedFailure = Pick<LateFailure, 'error' | 'disablesChannel'>

/** Seconds after which reports are ignored. */
const WINDOW_SECONDS = 3_600

/**
 * Records a failure. Does nothing if the delivery is unknown, was not sent, was sent more than an hour ago, or went to a kind of channel
 * without status callbacks. Receivers of those channels also know the delivery's id, but must not be able to report failures.
 */
export async function reportFailure(
  { store, now, log, transports }: Pick<Deps, 'store' | 'now' | 'log' | 'transports'>,
  deliveryId: string,
  failure: ReportedFailure,
): Promise<void> {
  const error = keptError(redact(oneLine(failure.error)))
  const sentSince = addSeconds(now(), -WINDOW_SECONDS)
  const kinds = new Set([...transports.values()].filter((one) => one.hasStatusCallback).map(({ kind }) => kind))
  const known = await store.deliveries.failSent(deliveryId, { ...failure, error, sentSince, kinds })
  if (known) log('warning', 'delivery failed after it was sent', { delivery: deliveryId, error })
}
