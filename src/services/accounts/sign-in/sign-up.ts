/**
 * Lets people without an account sign up, if the operator allows it. They use a mailed link, or sign up immediately if email is not set up.
 */

import { accountExists, normalizeEmail } from '../../../domain/account/account.ts'
import { mailedWithNext } from '../../../domain/account/next.ts'
import { Refusal } from '../../../domain/errors.ts'
import { knownAccountMail, signUpMail } from '../../../domain/mail/account-mails.ts'
import { requireTimeZone } from '../../../domain/schedule/typed/required-schedule.ts'
import { addressed, countMail, strangerAt } from '../../common/asked-mail.ts'
import { authorOf } from '../../common/author.ts'
import type { Deps } from '../../common/deps.ts'
import { newAccount, readEmail } from '../accounts.ts'
import { type LinkMailDeps, mailLater, requireMail } from '../mailed-links.ts'
import { type EmailLink, getEmailLink, issueLink } from '../one-time-links.ts'
import { visitorTurn } from './hash-turns.ts'
import { requirePassword } from './passwords.ts'
import { type Browser, type FreshSession, personOf, startSession } from './sessions.ts'

/**
 * Returns true if anyone is allowed to create an account with a password. This is not allowed before the first account exists, because
 * the first account becomes an administrator.
 */
export function canSignUp({ signInRules, remoteUserHeader }: Pick<Deps, 'signInRules' | 'remoteUserHeader'>): boolean {
  return signInRules.isRegistrationOpen && signInRules.hasLocalSignIn && remoteUserHeader === null
}

const FAILURES = {
  unsent: 'the email with a link to create an account was not sent',
  unmade: 'a link to create an account could not be created',
}

/**
 * Mails a link to create an account. If the address already has an account, its owner gets a notice instead. The link is still created, but
 * not sent. Returns immediately, so that neither the text nor the timing of the response reveals whether there is an account.
 * @param next local path to open after the link has been used; null for the page that new accounts usually see first
 * @throws Refusal `email-invalid`, `mail-off`; `over-limit` after too many requests for this address
 */
export function requestSignUp(deps: LinkMailDeps, text: string, next: string | null, { address }: Browser): void {
  requireMail(deps)
  const email = readEmail(text)
  countMail(deps, email, strangerAt(address), 'too many links were requested')
  mailLater(deps, FAILURES, async () => {
    const { store, site } = deps
    const isKnown = (await store.accounts.find(email)) !== null
    const { url } = await issueLink(deps, 'sign-up', null, email)
    const to = addressed(deps, email)
    return isKnown
      ? knownAccountMail(to, mailedWithNext(`${site.links.siteRoot}/sign-in`, next))
      : signUpMail(to, mailedWithNext(url, next))
  })
}

/** Reads the mailed sign-up link, which proves that the person owns the address. @throws Refusal `link-ended` */
export function getSignUp(deps: Pick<Deps, 'store' | 'now'>, token: string): Promise<EmailLink> {
  return getEmailLink(deps, 'sign-up', token)
}

interface SignUpForm {
  readonly password: string
  /** IANA name of a time zone */
  readonly tz: string
}

type SignUpDeps = Pick<Deps, 'store' | 'now' | 'random' | 'passwords'>

/**
 * Creates the account for a mailed link that {@link getSignUp} has read, and signs it in.
 * @throws Refusal `link-ended`, `password-invalid`, `tz-invalid`, `account-exists`, `busy`
 */
export function signUpByLink(
  deps: SignUpDeps,
  { lookup, email }: EmailLink,
  form: SignUpForm,
  browser: Browser,
): Promise<FreshSession> {
  return makeAccount(deps, email, form, browser, lookup)
}

/**
 * Creates an account and signs it in, on servers that cannot mail a link. Each account counts as one mailed link, which limits how many
 * accounts a single client can create.
 * @throws Refusal `email-invalid`, `password-invalid`, `tz-invalid`, `account-exists`, `over-limit`, `busy`
 */
export async function signUp(
  deps: SignUpDeps & Pick<Deps, 'signInLimits' | 'mailboxLimits'>,
  text: string,
  form: SignUpForm,
  browser: Browser,
): Promise<FreshSession> {
  const email = readEmail(text)
  requirePassword(form.password, email)
  requireTimeZone(form.tz)
  return orCountAgainst(deps, email, browser, () => {
    countMail(deps, email, strangerAt(browser.address), 'too many accounts were created')
    return makeAccount(deps, email, form, browser, null)
  })
}

/** @param link token hash of the link that permits the sign-up; null if none is needed */
async function makeAccount(
  deps: SignUpDeps,
  email: string,
  { password, tz }: SignUpForm,
  browser: Browser,
  link: string | null,
): Promise<FreshSession> {
  requirePassword(password, email)
  const zone = requireTimeZone(tz)
  if (!(await deps.store.accounts.exist()))
    throw new Refusal('forbidden', 'the first account is created with its own link')
  // Check this before hashing the password. The link stays valid if the address already has an account, so every reuse would cost another
  // password hash.
  if ((await deps.store.accounts.find(email)) !== null) throw accountExists(email)
  const passwordHash = await deps.passwords.hash(password, visitorTurn(browser.address))
  const account = newAccount(deps, email, { passwordHash, tz: zone, isEmailConfirmed: link !== null })
  const by = deps.store.by(authorOf(deps, personOf(account, browser.address)))
  if (link === null) await by.accounts.create(account)
  else await by.invitations.signUp(account, link)
  return startSession(deps, account, browser, { method: 'password', passwordHash })
}

/**
 * If the address already has an account, counts the attempt as a failed sign-in, because the refusal reveals that the account exists.
 * @throws Refusal `over-limit`, which is checked first; errors from `work`
 */
export async function orCountAgainst<Result>(
  { signInLimits }: Pick<Deps, 'signInLimits'>,
  email: string,
  { address }: Browser,
  work: () => Promise<Result>,
): Promise<Result> {
  const attempt = signInLimits.begin(normalizeEmail(email), address)
  if (!attempt.isAllowed) {
    const { retryAfterSeconds } = attempt
    throw new Refusal('over-limit', 'too many attempts have failed', { retryAfterSeconds })
  }
  try {
    const result = await work()
    attempt.takeBack()
    return result
  } catch (error) {
    const isTaken = error instanceof Refusal && error.code === 'account-exists'
    if (isTaken) attempt.fail()
    else attempt.takeBack()
    throw error
  }
}
