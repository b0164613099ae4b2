/** Emails about accounts, most with a link: whether they can be sent, and how they are sent in the background. */
import type { Mail } from '../../domain/carrier/mail.ts'
import { Refusal } from '../../domain/errors.ts'
import { messageWithCause } from '../../lib/errors.ts'
import type { Deps } from '../common/deps.ts'

/** Whether links can be mailed. */
export function canMailLinks({ operator }: Pick<Deps, 'operator'>): boolean {
  return operator.EMAIL_HOST !== undefined
}

/** @throws Refusal `mail-off` */
export function requireMail(deps: Pick<Deps, 'operator'>): void {
  if (!canMailLinks(deps)) throw new Refusal('mail-off', 'this server sends no email', { setting: 'EMAIL_HOST' })
}

/** The dependencies of mailing a link in the background. */
export type LinkMailDeps = Pick<
  Deps,
  'store' | 'now' | 'random' | 'site' | 'carriers' | 'operator' | 'mailboxLimits' | 'log' | 'background'
>

/** Messages of the log about an email that was not sent. */
interface MailFailures {
  /** the mail server did not accept the email */
  readonly unsent: string
  /** an error occurred before the email was sent */
  readonly unmade: string
}

/** The longest pause before the work of an email begins. */
export const PAUSE_SECONDS = 5

/**
 * Mails in the background, so that neither the text nor the time of the answer reveals what was mailed. The work begins after a random
 * pause, so that the time of the next answers, which it may delay, doesn't reveal it either. Failures are logged.
 * @param make does the same work whether or not the account exists, and returns the email; null: nothing is mailed
 */
export function mailLater(
  { background, random, carriers, log }: Pick<Deps, 'background' | 'random' | 'carriers' | 'log'>,
  { unsent, unmade }: MailFailures,
  make: () => Promise<Mail | null>,
): void {
  background.runAfter(random.fraction() * PAUSE_SECONDS, async () => {
    try {
      const mail = await make()
      if (mail === null) return
      const answer = await carriers.mail(mail)
      if (answer.kind === 'accepted') return
      log('warning', unsent, { reason: answer.kind === 'refused' ? answer.response : answer.error })
    } catch (error) {
      log('warning', unmade, { reason: messageWithCause(error) })
    }
  })
}
