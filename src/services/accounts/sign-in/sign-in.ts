/** Signs users in with a password or a mailed link. */
import { type Account, Email, normalizeEmail, withProvenEmail } from '../../../domain/account/account.ts'
import { mailedWithNext } from '../../../domain/account/next.ts'
import { linkEnded } from '../../../domain/account/token.ts'
import type { Operator } from '../../../domain/actor.ts'
import { Refusal } from '../../../domain/errors.ts'
import { passwordMail, signInMail } from '../../../domain/mail/account-mails.ts'
import { fits } from '../../../domain/schema.ts'
import type { HashTurn } from '../../../lib/secrets/password-hasher.ts'
import { addressed, countMail, strangerAt } from '../../common/asked-mail.ts'
import { authorOf } from '../../common/author.ts'
import type { Deps } from '../../common/deps.ts'
import { getActiveAccount } from '../accounts.ts'
import { type LinkMailDeps, mailLater, requireMail } from '../mailed-links.ts'
import {
  type AccountLink,
  type FreshLink,
  getAccountLink,
  issueLink,
  requireSameEmail,
  useLink,
} from '../one-time-links.ts'
import { visitorTurn } from './hash-turns.ts'
import { verifyPassword } from './passwords.ts'
import { beginSignIn, type Entrance } from './second-factor.ts'
import { type Browser, personOf } from './sessions.ts'

/**
 * Signs a person in by password. An attempt with an unknown email address, or for an account without a password, takes the same time as one
 * with a wrong password.
 * @throws Refusal `sign-in-failed`; `over-limit`, which is checked first; `busy` if too many users are signing in at once; `unauthorized`
 * if the password was changed in the meantime
 */
export async function signIn(
  deps: Pick<Deps, 'store' | 'now' | 'random' | 'passwords' | 'signInLimits'>,
  email: string,
  password: string,
  browser: Browser,
): Promise<Entrance> {
  const account = await findByEmail(deps, email)
  const turn = visitorTurn(browser.address)
  await verifyPassword(deps, { email, passwordHash: account?.passwordHash ?? null }, password, browser.address, turn)
  const passwordHash = account?.passwordHash
  if (!account || !passwordHash) throw new Error('a hash of nobody has matched')
  const renewed = await renewHash(deps, account.id, passwordHash, password, turn)
  return beginSignIn(deps, account, browser, { method: 'password', passwordHash: renewed })
}

/**
 * Replaces a password hash that was imported from another program with a hash in Overdue's own format.
 * @returns the hash that is now stored
 */
async function renewHash(
  { store, passwords }: Pick<Deps, 'store' | 'passwords'>,
  accountId: string,
  hash: string,
  password: string,
  turn: HashTurn,
): Promise<string> {
  if (!passwords.isOutdated(hash)) return hash
  const renewed = await passwords.hash(password, turn)
  return (await store.accounts.renewPasswordHash(accountId, hash, renewed)) ? renewed : hash
}

/** Finds an account by email address. Does not look up text that is not an email address. Treats suspended accounts as unknown. */
async function findByEmail({ store }: Pick<Deps, 'store'>, text: string): Promise<Account | null> {
  const email = normalizeEmail(text)
  const account = fits(Email, email) ? await store.accounts.find(email) : null
  return account?.isSuspended ? null : account
}

/** Reads a sign-in link. A mailed link works only if users may sign in without the OpenID provider. @throws Refusal `link-ended` */
export async function getSignInLink(
  deps: Pick<Deps, 'store' | 'now' | 'signInRules'>,
  token: string,
): Promise<AccountLink> {
  const found = await getAccountLink(deps, 'sign-in', token)
  if (found.link.email !== null && !deps.signInRules.hasLocalSignIn) throw linkEnded()
  return found
}

/**
 * Signs a person in with a link. A mailed link proves that the person owns the address. If the address was not confirmed before, settings
 * that a stranger may have added are removed.
 * @throws Refusal `link-ended`
 */
export async function signInByLink(
  deps: Pick<Deps, 'store' | 'now' | 'random' | 'signInRules'>,
  token: string,
  browser: Browser,
): Promise<Entrance> {
  const { link, account } = await getSignInLink(deps, token)
  if (link.email === null) {
    await useLink(deps, 'sign-in', token)
    return beginSignIn(deps, account, browser, { method: 'printed-link' })
  }
  const author = authorOf(deps, personOf(account, browser.address))
  const prove = (stored: Account): Account => withProvenEmail(requireSameEmail(stored, link))
  const proven = await deps.store.by(author).accounts.proveEmail(account.id, prove, link.lookup)
  if (!proven) throw linkEnded()
  return beginSignIn(deps, proven, browser, { method: 'link' })
}

/**
 * Returns a one-time sign-in link, which works even if users otherwise sign in only through the OpenID provider.
 * @throws Refusal `account-not-found`, `account-suspended`; `proxy-signs-in`
 */
export async function printSignInLink(
  deps: Pick<Deps, 'store' | 'now' | 'random' | 'site' | 'remoteUserHeader'>,
  by: Operator,
  idOrEmail: string,
): Promise<FreshLink> {
  const { id } = await getActiveAccount(deps, by, idOrEmail)
  if (deps.remoteUserHeader !== null)
    throw new Refusal('proxy-signs-in', 'a proxy signs people in (REMOTE_USER_HEADER)')
  return issueLink(deps, 'sign-in', id, null, authorOf(deps, by))
}

const FAILURES = { unsent: 'the email with a link was not sent', unmade: 'a link could not be created' }

/** The purpose of a mailed link. */
export type MailedPurpose = 'sign-in' | 'password'

/**
 * Mails a link if the account exists. Returns immediately, so that neither the text nor the timing of the response reveals whether the
 * account exists. If there is no account, the link and the email are still created, but the email is not sent.
 * @param next local path to open after the link has been used; null for the start page
 * @throws Refusal `mail-off`; `over-limit` after too many requests for this address
 */
export function requestLink(
  deps: LinkMailDeps,
  purpose: MailedPurpose,
  email: string,
  next: string | null,
  { address }: Browser,
): void {
  requireMail(deps)
  countMail(deps, email, strangerAt(address), 'too many links were requested')
  mailLater(deps, FAILURES, async () => {
    const to = normalizeEmail(email)
    if (!fits(Email, to)) return null
    const account = await findByEmail(deps, to)
    const { url } = await issueLink(deps, purpose, account?.id ?? null, to)
    const makeMail = purpose === 'password' ? passwordMail : signInMail
    return { ...makeMail(addressed(deps, to), mailedWithNext(url, next)), goesNowhere: account === null }
  })
}
