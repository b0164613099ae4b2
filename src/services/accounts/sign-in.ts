/** Signing in: by password, or by a link in an email. */
import { type Account, Email, normalizeEmail } from '../../domain/account/account.ts'
import { Refusal } from '../../domain/errors.ts'
import { signInMail } from '../../domain/mail/sign-in.ts'
import { fits } from '../../domain/schema.ts'
import { messageWithCause } from '../../lib/errors.ts'
import type { Deps } from '../deps.ts'
import { issueLink, linkedAccount, useLink } from './one-time-links.ts'
import { verifyPassword } from './passwords.ts'
import { type Browser, type FreshSession, startSession } from './sessions.ts'

/**
 * Does the same work for an unknown email, and for an account without a password, as for a wrong password.
 * @throws Refusal `sign-in-failed`; `over-limit` before any work; `busy` when too many sign in at once; `unauthorized` when the
 * password was changed meanwhile
 */
export async function signIn(
  deps: Pick<Deps, 'store' | 'now' | 'random' | 'passwords' | 'signInLimits'>,
  email: string,
  password: string,
  browser: Browser,
): Promise<FreshSession> {
  const account = await findByEmail(deps, email)
  await verifyPassword(deps, email, account?.passwordHash ?? null, password, browser.address)
  if (!account) throw new Error('a hash of nobody has matched')
  return startSession(deps, account, browser, account.passwordHash)
}

/** Not by id, and a text that is no email is not looked up. */
async function findByEmail({ store }: Pick<Deps, 'store'>, text: string): Promise<Account | null> {
  const email = normalizeEmail(text)
  return fits(Email, email) ? store.findAccount(email) : null
}

/** Signs in by a mailed link. @throws Refusal `link-ended` */
export async function signInByLink(
  deps: Pick<Deps, 'store' | 'now' | 'random'>,
  token: string,
  browser: Browser,
): Promise<FreshSession> {
  const { accountId } = await useLink(deps, 'sign-in', token)
  return startSession(deps, await linkedAccount(deps, accountId), browser, null)
}

/** Whether links can be mailed. */
export function canMailLinks({ operator }: Pick<Deps, 'operator'>): boolean {
  return operator.EMAIL_HOST !== undefined
}

type MailDeps = Pick<
  Deps,
  'store' | 'now' | 'random' | 'site' | 'carriers' | 'operator' | 'signInLimits' | 'log' | 'background'
>

/**
 * Mails a link if there is such an account. It returns at once, so that neither words nor time tell whether there is one.
 * @throws Refusal `mail-off`; `over-limit` after too many requests for this address
 */
export function requestSignInLink(deps: MailDeps, email: string, { address }: Browser): void {
  if (!canMailLinks(deps)) throw new Refusal('mail-off', 'this server sends no email', { setting: 'EMAIL_HOST' })
  // So that nobody's mailbox is filled.
  const retryAfterSeconds = deps.signInLimits.askForLink(email, address)
  if (retryAfterSeconds > 0) throw new Refusal('over-limit', 'too many links were asked for', { retryAfterSeconds })
  deps.background.run(() => mailLink(deps, email))
}

async function mailLink(deps: MailDeps, email: string): Promise<void> {
  const { random, site, carriers, log } = deps
  try {
    const account = await findByEmail(deps, email)
    if (!account) return
    const { url } = await issueLink(deps, 'sign-in', account.id)
    const answer = await carriers.mail(
      signInMail({ id: random.uuid(), address: account.email, siteName: site.name, url }),
    )
    if (answer.kind === 'accepted') return
    log('warning', 'the email with a link to sign in was not sent', {
      reason: answer.kind === 'refused' ? answer.response : answer.error,
    })
  } catch (error) {
    log('warning', 'a link to sign in could not be made', { reason: messageWithCause(error) })
  }
}
