/** Asks the owner of an email address to confirm that a project may send alerts to the address. */
import type { Actor } from '../../domain/actor.ts'
import { keptError } from '../../domain/alert/delivery.ts'
import type { Channel } from '../../domain/channel/channel.ts'
import { confirmationMail } from '../../domain/mail/account-mails.ts'
import { confirmUrl } from '../../domain/mail/links.ts'
import { mailChannelOf } from '../../domain/mail/mailing.ts'
import type { Project } from '../../domain/project.ts'
import { MissingSetting } from '../../transports/transport.ts'
import { addressed, askerOf, countMail } from '../common/asked-mail.ts'
import type { Deps } from '../common/deps.ts'

/** Counts the email that {@link askToConfirm} will send. Call it before anything is changed. @throws Refusal `over-limit` */
export function countConfirmation(
  deps: Pick<Deps, 'operator' | 'mailboxLimits'>,
  { by }: Actor,
  { kind, settings }: Pick<Channel, 'kind' | 'settings'>,
): void {
  const address = mailChannelOf({ kind, settings })?.address
  if (address === undefined || !deps.operator.EMAIL_HOST) return
  countMail(deps, address, askerOf(by), 'too many confirmation emails were requested; try again later')
}

/** @returns why the email was not sent; null if the mail server accepted it */
export async function askToConfirm(
  deps: Pick<Deps, 'carriers' | 'random' | 'site' | 'operator'>,
  project: Project,
  channel: Channel,
): Promise<string | null> {
  const address = mailChannelOf(channel)?.address
  if (address === undefined) return 'The settings have no email address'
  if (!deps.operator.EMAIL_HOST) return new MissingSetting('EMAIL_HOST').message
  const url = confirmUrl(deps.site.links, channel.id, address, deps.site.secret)
  const answer = await deps.carriers.mail(confirmationMail(addressed(deps, address), project.name, url))
  if (answer.kind === 'accepted') return null
  const reason = answer.kind === 'refused' ? answer.response : answer.error
  return keptError(`The confirmation email was not sent: ${reason}`)
}
