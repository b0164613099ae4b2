/** What the receiver of our mails may do by the links in them, without an account: agree, and have them stopped. */
import { type Channel, UNSUBSCRIBED } from '../domain/channel.ts'
import { Refusal } from '../domain/errors.ts'
import { withoutMailing } from '../domain/mail-channel.ts'
import { confirmToken, type Subscription, unsubscribeToken } from '../domain/mail-links.ts'
import { mailChannelOf, wantedMailings } from '../domain/mailing.ts'
import { isSameSecret } from '../domain/same-secret.ts'
import { isUuid } from '../domain/uuid.ts'
import type { ChannelChange } from '../store/store.ts'
import type { Deps } from './deps.ts'

type Needs = Pick<Deps, 'store' | 'site' | 'log' | 'confirmAddresses' | 'now' | 'random'>

/** Agreeing, or what is to be ended. */
export type MailLinkPurpose = 'confirm' | Subscription

/** A link as it was followed. */
export interface MailLink {
  readonly purpose: MailLinkPurpose
  readonly channelId: string
  readonly token: string
}

/** What a link is about, in the words of a page. */
export interface MailLinkSubject {
  readonly address: string
  readonly projectName: string
}

/** Changes nothing: programs that scan mails follow links too. @throws Refusal `not-found` for a link that is not ours */
export async function getMailLink(deps: Needs, link: MailLink): Promise<MailLinkSubject> {
  const channel = isUuid(link.channelId) ? await deps.store.findChannel(link.channelId) : null
  if (!channel) throw notFound()
  return subjectOf(deps, channel, signedAddress(deps, channel, link))
}

/**
 * Does what the link is for, and does it again without harm. Who has ended alerts is asked anew before anything more
 * comes, where addresses are confirmed.
 * @throws Refusal `not-found` for a link that is not ours
 */
export async function followMailLink(deps: Needs, link: MailLink): Promise<MailLinkSubject> {
  const { store, log } = deps
  const { purpose, channelId } = link
  const change = (channel: Channel) => {
    signedAddress(deps, channel, link)
    return purpose === 'confirm' ? { channel: confirmed(channel) } : unsubscribed(deps, channel, purpose)
  }
  const channel = isUuid(channelId) ? await store.changeChannel(channelId, change) : null
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
  const after = { ...channel, settings: withoutMailing(channel.settings, from) }
  const mailings = wantedMailings(mailChannelOf(channel), mailChannelOf(after), deps.now(), deps.random.fraction())
  return { channel: after, mailings }
}

/** The address of the channel. @throws Refusal `not-found` when the link is not signed for this channel as it is */
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
  const project = await store.findProject(channel.projectId)
  return { address, projectName: project?.name ?? '' }
}

function notFound(): Refusal {
  return new Refusal('not-found', 'not found')
}
