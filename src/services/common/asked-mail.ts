/**
 * Emails to an address whose owner has not agreed to them: each is counted before anything is stored. If the time of an email must not
 * reveal whether there is an account, it is sent by `mailLater` (`accounts/mailed-links.ts`). Tests in `test/services/` check these rules
 * for all of them.
 */
import type { Actor } from '../../domain/actor.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Addressed } from '../../domain/mail/account-mails.ts'
import type { Deps } from './deps.ts'
import type { MailAsker } from './limits/mailbox-limits.ts'

/**
 * Counts a requested email to an address, so that nobody's mailbox is flooded.
 * @param message the message of the refusal
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

/** Counts a test. @throws Refusal `over-limit` */
export function countTest({ mailboxLimits }: Pick<Deps, 'mailboxLimits'>, email: string): void {
  const retryAfterSeconds = mailboxLimits.test(email)
  if (retryAfterSeconds === 0) return
  const message = 'this address got too many tests within an hour; try again later'
  throw new Refusal('over-limit', message, { retryAfterSeconds })
}

/** Returns the envelope of a new email to an address, from this site. */
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
