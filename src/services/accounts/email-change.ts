/** Changes an account's email address. If this server sends emails, the person must first confirm the new address with a mailed link. */
import { type Account, normalizeEmail } from '../../domain/account/account.ts'
import { linkEnded } from '../../domain/account/token.ts'
import type { Person } from '../../domain/actor.ts'
import type { Mail } from '../../domain/carrier/mail.ts'
import { emailChangedMail, emailTakenMail, newEmailMail } from '../../domain/mail/account-mails.ts'
import { addressed, countMail } from '../common/asked-mail.ts'
import { authorOf } from '../common/author.ts'
import type { Deps } from '../common/deps.ts'
import { readEmail } from './accounts.ts'
import { canMailLinks, type LinkMailDeps, mailLater } from './mailed-links.ts'
import { type EmailLink, getEmailLink, issueLink } from './one-time-links.ts'

const UNSENT = 'the email about a change of address was not sent'
const FAILURES = { unsent: UNSENT, unmade: UNSENT }

/**
 * Mails a link to the new address. If this server sends no emails, the address changes immediately, and the other sessions end.
 * @param kept token hash of the session to keep
 * @returns `mailed` even if another account has the address; the owner of that account is then notified by email
 * @throws Refusal `email-invalid`; `over-limit` after too many requests; `account-exists`, but only if this server sends no emails
 */
export async function requestEmail(
  deps: LinkMailDeps,
  person: Person,
  kept: string | null,
  given: string,
): Promise<'mailed' | 'changed' | 'same'> {
  const email = readEmail(given)
  if (email === normalizeEmail(person.email)) return 'same'
  countMail(deps, email, person, 'too many changes were requested')
  if (!canMailLinks(deps)) {
    const change = (account: Account): Account => ({ ...account, email, isEmailConfirmed: false })
    await deps.store.by(authorOf(deps, person)).accounts.change(person.accountId, change, kept)
    return 'changed'
  }
  mailLater(deps, FAILURES, () => makeMail(deps, person, email))
  return 'mailed'
}

/** @param email the new email address */
async function makeMail(deps: LinkMailDeps, { accountId, email: from }: Person, email: string): Promise<Mail> {
  const to = addressed(deps, email)
  const isTaken = (await deps.store.accounts.find(email)) !== null
  // A link is created even if the address is taken, so that both cases take the same time. A link to a taken address is not mailed.
  const { url } = await issueLink(deps, 'email', accountId, email)
  return isTaken ? emailTakenMail(to, from) : newEmailMail(to, from, url)
}

/** Returns the link that proves the new address. @throws Refusal `link-ended`, also if the link belongs to another account */
export async function getNewEmail(
  deps: Pick<Deps, 'store' | 'now'>,
  { accountId }: Person,
  token: string,
): Promise<EmailLink> {
  const link = await getEmailLink(deps, 'email', token)
  if (link.accountId !== accountId) throw linkEnded()
  return link
}

/**
 * Changes the email to the address that the link proves, ends the other sessions, and sends a notice to the old address.
 * @param kept token hash of the session to keep
 * @throws Refusal `link-ended`; `account-exists` if another account now has the address
 */
export async function confirmEmail(
  deps: LinkMailDeps,
  person: Person,
  kept: string | null,
  token: string,
): Promise<void> {
  const { lookup, email } = await getNewEmail(deps, person, token)
  const change = (account: Account): Account => ({ ...account, email, isEmailConfirmed: true })
  const author = authorOf(deps, person)
  const changed = await deps.store.by(author).accounts.change(person.accountId, change, kept, lookup)
  if (!changed) throw linkEnded()
  const mail = emailChangedMail(addressed(deps, person.email), email)
  mailLater(deps, FAILURES, async () => mail)
}
