/** What the receiver of our mails may do by the links in them, without an account: agree, and have them stopped. */
import type { Channel } from '../domain/channel.ts'
import { Refusal } from '../domain/errors.ts'
import { confirmToken, isSameToken, unsubscribeToken } from '../domain/mail-links.ts'
import { mailChannelOf } from '../domain/mailing.ts'
import { isUuid } from '../domain/uuid.ts'
import type { Deps } from './deps.ts'

type Needs = Pick<Deps, 'store' | 'site' | 'log' | 'confirmAddresses'>

export type MailLinkPurpose = 'confirm' | 'unsubscribe'

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
  return (await open(deps, link)).subject
}

const UNSUBSCRIBED = 'unsubscribed by the receiver'

/**
 * Does what the link is for, and does it again without harm. Who has unsubscribed is asked anew before anything more
 * comes, where addresses are confirmed.
 * @throws Refusal `not-found` for a link that is not ours
 */
export async function followMailLink(deps: Needs, link: MailLink): Promise<MailLinkSubject> {
  const { channel, subject } = await open(deps, link)
  const { purpose } = link
  const { disabledReason } = channel
  const changed: Channel =
    purpose === 'confirm'
      ? {
          ...channel,
          awaitsConfirmation: false,
          disabledReason: disabledReason === UNSUBSCRIBED ? null : disabledReason,
          lastError: null,
        }
      : {
          ...channel,
          awaitsConfirmation: channel.awaitsConfirmation || deps.confirmAddresses,
          disabledReason: UNSUBSCRIBED,
        }
  await deps.store.updateChannel(changed)
  deps.log('info', purpose === 'confirm' ? 'address confirmed' : 'receiver unsubscribed', { channel: channel.id })
  return subject
}

async function open({ store, site }: Needs, { purpose, channelId, token }: MailLink) {
  const channel = isUuid(channelId) ? await store.findChannel(channelId) : null
  const address = channel && mailChannelOf(channel)?.address
  if (!channel || !address) throw notFound()
  const right =
    purpose === 'confirm' ? confirmToken(channel.id, address, site.secret) : unsubscribeToken(channel.id, site.secret)
  if (!isSameToken(token, right)) throw notFound()
  const project = await store.findProject(channel.projectId)
  return { channel, subject: { address, projectName: project?.name ?? '' } }
}

function notFound(): Refusal {
  return new Refusal('not-found', 'not found')
}
