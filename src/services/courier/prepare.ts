/** Prepares an alert for sending: determines its transport, its content and the secrets to mask. */

import type { Delivery } from '../../domain/alert/delivery.ts'
import { type Masker, maskerOf } from '../../domain/carrier/mask-secrets.ts'
import type { Channel } from '../../domain/channel/channel.ts'
import { UNCONFIRMED } from '../../domain/mail/mail-channel.ts'
import type { ClaimedOrder } from '../../store/store.ts'
import { switchedOff, switchedOffWords } from '../../transports/operator.ts'
import { allSecrets } from '../../transports/settings-form.ts'
import type { Alert, Conclusion, Transport } from '../../transports/transport.ts'
import type { Deps } from '../common/deps.ts'
import { toAlert } from './alert.ts'
import { retryLater } from './send-message.ts'
import type { CompareLastPing } from './shared-comparisons.ts'

/** An alert that is ready to be sent to its channel. */
export interface Prepared {
  readonly transport: Transport
  /** the channel's settings */
  readonly settings: unknown
  readonly alert: Alert
  /** other alerts that are sent in the same message */
  readonly joined: readonly Alert[]
  /** secrets of the channel and the operator */
  readonly secrets: readonly string[]
  /** removes secrets from a string */
  readonly mask: Masker
}

export function prepare(
  transport: Transport,
  { settings }: Pick<Channel, 'settings'>,
  alert: Alert,
  joined: readonly Alert[] = [],
): Prepared {
  const secrets = allSecrets(transport, settings, alert.operator)
  return { transport, settings, alert, joined, secrets, mask: maskerOf(secrets) }
}

export type PrepareDeps = Pick<Deps, 'store' | 'now' | 'transports' | 'operator' | 'log' | 'site' | 'eventLoop'> & {
  readonly compareLastPing: CompareLastPing
}

/** Returns a delivery's prepared alert, or the final result if the alert cannot be sent. */
export async function prepareDelivery(
  deps: PrepareDeps,
  { channel, joined, ...story }: ClaimedOrder,
): Promise<Prepared | { readonly conclusion: Conclusion }> {
  const transport = deps.transports.get(channel.kind)
  if (!transport) return refused(`This version of the server cannot send messages of kind "${channel.kind}"`)
  if (switchedOff(channel.kind, deps.operator) !== null) return refused(switchedOffWords(channel.kind))
  if (channel.disabledReason !== null) return refused(`It is switched off: ${channel.disabledReason}`)
  if (channel.awaitsConfirmation) return refused(UNCONFIRMED)
  try {
    return prepare(transport, channel, await toAlert(deps, story), await toAlerts(deps, joined))
  } catch (error) {
    // The operator may install a version that fixes the error within a day, so the alert is retried for that long.
    deps.log('error', 'alert could not be written', { delivery: story.delivery.id, reason: String(error) })
    return { conclusion: retryLater('Internal error: the alert could not be written; see the server log') }
  }
}

/**
 * Builds the alerts for deliveries that are sent in the same message. Skips deliveries whose check has been deleted in the meantime.
 * Does not compare outputs, because a combined message does not show new lines of output.
 */
async function toAlerts(deps: PrepareDeps, deliveries: readonly Delivery[]): Promise<readonly Alert[]> {
  const alerts: Alert[] = []
  for (const delivery of deliveries) {
    const story = await deps.store.deliveries.findStory(delivery, deps.now())
    if (story) alerts.push(await toAlert({ ...deps, compareLastPing: null }, { ...story, delivery }))
  }
  return alerts
}

function refused(error: string): { readonly conclusion: Conclusion } {
  return { conclusion: { kind: 'fail', error } }
}
