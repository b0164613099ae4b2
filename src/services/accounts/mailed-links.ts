/** Sends account emails in the background. Most of these emails contain a link. */
import type { Mail } from '../../domain/carrier/mail.ts'
import { Refusal } from '../../domain/errors.ts'
import { messageWithCause } from '../../lib/errors.ts'
import type { Deps } from '../common/deps.ts'

/** Returns true if links can be mailed. */
export function canMailLinks({ operator }: Pick<Deps, 'operator'>): boolean {
  return operator.EMAIL_HOST !== undefined
}

/** @throws Refusal `mail-off` */
export function requireMail(deps: Pick<Deps, 'operator'>): void {
  if (!canMailLinks(deps)) throw new Refusal('mail-off', 'this server sends no email', { setting: 'EMAIL_HOST' })
}

/** Dependencies for mailing a link in the background. */
export type LinkMailDeps = Pick<
  Deps,
  'store' | 'now' | 'random' | 'site' | 'carriers' | 'operator' | 'mailboxLimits' | 'log' | 'background'
>

/** Log messages about an email that was not sent. */
interface MailFailures {
  /** used if the mail server did not accept the email */
  readonly unsent: string
  /** used if an error occurred before the email was sent */
  readonly unmade: string
}

/** Maximum random delay before an email is prepared, in seconds. */
export const PAUSE_SECONDS = 5

/**
 * Sends an email in the background, so that neither the text nor the timing of the response reveals whether an email was sent. The work
 * begins after a random delay. Preparing an email may slow down other responses, whose timing must not reveal anything either. Failures
 * are logged.
 * @param make returns the email, or null to send nothing; must do the same work whether or not the account exists
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
