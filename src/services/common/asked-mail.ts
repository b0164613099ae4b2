/**
 * Rate-limits emails to people who have not agreed to receive them. Each email is counted before anything is stored. If the timing of a
 * response must not reveal whether there is an account, `mailLater` (`accounts/mailed-links.ts`) sends the email. Tests in `test/services/`
 * verify these rules for all such emails.
 */
import type { Actor } from '../../domain/actor.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Addressed } from '../../domain/mail/account-mails.ts'
import type { Deps } from './deps.ts'
import type { MailAsker } from './limits/mailbox-limits.ts'

/**
 * Counts a requested email, so that no client can flood a mailbox.
 * @param message message of the refusal
 * @throws Refusal `over-limit`
 */
export function countMail(
  { mailboxLimits }: Pick<Deps, 'mailboxLimits'>,
  email: string,
  asker: MailAsker,
  message: string,
): void {
  const retryAfterSeconds = mailboxLimits.ask(email, asker)
  if (retryAfterSeconds > 0) throw new Refusal('over-limit', message, { retryAfterSeconds })
}

/** Counts a test message to an address. @throws Refusal `over-limit` */
export function countTest({ mailboxLimits }: Pick<Deps, 'mailboxLimits'>, email: string): void {
  const retryAfterSeconds = mailboxLimits.test(email)
  if (retryAfterSeconds === 0) return
  const message = 'this address got too many tests within an hour; try again later'
  throw new Refusal('over-limit', message, { retryAfterSeconds })
}

/** Returns the envelope for a new email from this site to the address. */
export function addressed({ random, site }: Pick<Deps, 'random' | 'site'>, address: string): Addressed {
  return { id: random.uuid(), address, siteName: site.name }
}

export function strangerAt(address: string | null): MailAsker {
  return { address, accountId: null }
}

export function askerOf(by: Actor['by']): MailAsker {
  if (by.kind === 'person') return by
  return strangerAt(by.kind === 'key' ? by.address : null)
}
