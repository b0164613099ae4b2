/** Handles the links in emails that let recipients confirm an address or unsubscribe without an account. */
import { type Channel, UNSUBSCRIBED } from '../../domain/channel/channel.ts'
import { Refusal } from '../../domain/errors.ts'
import { confirmToken, type Subscription, unsubscribeToken } from '../../domain/mail/links.ts'
import { withPeriods } from '../../domain/mail/mail-channel.ts'
import { mailChannelOf, wantedMailings } from '../../domain/mail/mailing.ts'
import { isSameSecret } from '../../lib/secrets/same-secret.ts'
import { isUuid } from '../../lib/secrets/uuid.ts'
import type { ChannelChange } from '../../store/store.ts'
import type { Deps } from '../common/deps.ts'

type Needs = Pick<Deps, 'store' | 'site' | 'log' | 'confirmAddresses' | 'now' | 'random'>

/** The purpose of a link: to confirm the address, or to end a subscription. */
export type MailLinkPurpose = 'confirm' | Subscription

export interface MailLink {
  readonly purpose: MailLinkPurpose
  readonly channelId: string
  readonly token: string
}

/** The names that a link's page shows. */
export interface MailLinkSubject {
  readonly address: string
  readonly projectName: string
}

/** Reads a link without changing anything, because email scanners also follow links. @throws Refusal `not-found` if the link is unknown */
export async function getMailLink(deps: Needs, link: MailLink): Promise<MailLinkSubject> {
  const channel = isUuid(link.channelId) ? await deps.store.channels.find(link.channelId) : null
  if (!channel) throw notFound()
  return subjectOf(deps, channel, signedAddress(deps, channel, link))
}

/**
 * Performs the link's action. A link can be followed more than once. If this server requires confirmed addresses, an address that
 * unsubscribed from alerts must be confirmed again.
 * @throws Refusal `not-found` if the link is unknown
 */
export async function followMailLink(deps: Needs, link: MailLink): Promise<MailLinkSubject> {
  const { store, log } = deps
  const { purpose, channelId } = link
  const change = (channel: Channel) => {
    signedAddress(deps, channel, link)
    return purpose === 'confirm' ? { channel: confirmed(channel) } : unsubscribed(deps, channel, purpose)
  }
  const channel = isUuid(channelId) ? await store.channels.change(channelId, change) : null
  if (!channel) throw notFound()
  if (purpose === 'confirm') log('info', 'address confirmed', { channel: channelId })
  else log('info', 'receiver unsubscribed', { channel: channelId, from: purpose })
  return subjectOf(deps, channel, signedAddress(deps, channel, link))
}

function confirmed(channel: Channel): Channel {
  const disabledReason = channel.disabledReason === UNSUBSCRIBED ? null : channel.disabledReason
  return { ...channel, awaitsConfirmation: false, disabledReason, lastError: null }
}

function unsubscribed(deps: Needs, channel: Channel, from: Subscription): ChannelChange {
  if (from === 'alerts') {
    const awaitsConfirmation = channel.awaitsConfirmation || deps.confirmAddresses
    return { channel: { ...channel, awaitsConfirmation, disabledReason: UNSUBSCRIBED } }
  }
  const after = { ...channel, settings: withPeriods(channel.settings, { [from]: null }) }
  const mailings = wantedMailings(mailChannelOf(channel), mailChannelOf(after), deps.now(), deps.random.fraction())
  return { channel: after, mailings }
}

/** Returns the channel's address. @throws Refusal `not-found` if the link's signature does not match the channel's current state */
function signedAddress({ site }: Needs, channel: Channel, { purpose, token }: MailLink): string {
  const address = mailChannelOf(channel)?.address
  if (address === undefined) throw notFound()
  const right =
    purpose === 'confirm'
      ? confirmToken(channel.id, address, site.secret)
      : unsubscribeToken(channel.id, purpose, site.secret)
  if (!isSameSecret(token, right)) throw notFound()
  return address
}

async function subjectOf({ store }: Needs, channel: Channel, address: string): Promise<MailLinkSubject> {
  const project = await store.projects.find(channel.projectId)
  return { address, projectName: project?.name ?? '' }
}

function notFound(): Refusal {
  return new Refusal('not-found', 'not found')
}
