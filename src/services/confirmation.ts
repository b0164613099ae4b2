/** Confirmation: the owner of a mail address is asked whether the alerts of a project may come there. */
import type { Channel } from '../domain/channel.ts'
import { confirmationMail } from '../domain/confirmation-mail.ts'
import { confirmUrl } from '../domain/mail-links.ts'
import { mailChannelOf } from '../domain/mailing.ts'
import type { Project } from '../domain/project.ts'
import { MissingSetting } from '../transports/transport.ts'
import type { Deps } from './deps.ts'

/** What a delivery to such an address fails with. */
export const UNCONFIRMED = 'The address has not been confirmed yet'

/** @returns why the mail was not sent; null when the mail server took it */
export async function askToConfirm(
  { carriers, random, site, operator }: Pick<Deps, 'carriers' | 'random' | 'site' | 'operator'>,
  project: Project,
  channel: Channel,
): Promise<string | null> {
  const address = mailChannelOf(channel)?.address
  if (address === undefined) return 'The channel has no mail address'
  if (!operator.EMAIL_HOST) return new MissingSetting('EMAIL_HOST').message
  const mail = confirmationMail({
    id: random.uuid(),
    address,
    projectName: project.name,
    siteName: site.name,
    confirmUrl: confirmUrl(site.links, channel.id, address, site.secret),
  })
  const answer = await carriers.mail(mail)
  if (answer.kind === 'accepted') return null
  const reason = answer.kind === 'refused' ? answer.response : answer.error
  return `The mail that asks to confirm the address was not sent: ${reason}`
}
