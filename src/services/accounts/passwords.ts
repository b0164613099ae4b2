/** Passwords of accounts: checked, chosen, changed. */
import type { Account } from '../../domain/account/account.ts'
import { passwordProblem } from '../../domain/account/password.ts'
import { type Operator, type Person, requireAdministrator } from '../../domain/actor.ts'
import { Refusal } from '../../domain/errors.ts'
import { authorOf } from '../author.ts'
import type { Deps } from '../deps.ts'
import { getAccount } from './accounts.ts'
import { type FreshLink, getLink, issueLink, linkEnded, linkedAccount } from './one-time-links.ts'
import { type Browser, type FreshSession, personOf, startSession } from './sessions.ts'

type PasswordDeps = Pick<Deps, 'store' | 'now' | 'random' | 'passwords'>

/** @throws Refusal `password-invalid` with what to use instead */
export function requirePassword(password: string, email: string): void {
  const problem = passwordProblem(password, email)
  if (problem !== null) throw new Refusal('password-invalid', `the password ${problem}`)
}

/**
 * @param hash null when there is none @param address of the client; null when it is unknown
 * @throws Refusal `sign-in-failed`; `over-limit` before any work; `busy` when too many sign in at once
 */
export async function verifyPassword(
  { passwords, signInLimits }: Pick<Deps, 'passwords' | 'signInLimits'>,
  email: string,
  hash: string | null,
  password: string,
  address: string | null,
): Promise<void> {
  const attempt = signInLimits.begin(email, address)
  if (!attempt.isAllowed) {
    const { retryAfterSeconds } = attempt
    throw new Refusal('over-limit', 'too many sign-ins have failed', { retryAfterSeconds })
  }
  let isRight: boolean
  try {
    isRight = await passwords.verify(password, hash)
  } catch (error) {
    attempt.takeBack()
    throw error
  }
  if (isRight) return attempt.succeed()
  const { left, waitSeconds } = attempt.fail()
  throw new Refusal('sign-in-failed', 'email and password do not match', { triesLeft: left, waitSeconds })
}

/**
 * @returns a link to choose another password; the old one stays valid until then
 * @throws Refusal `account-not-found`; `proxy-signs-in` where accounts have no passwords
 */
export async function resetPassword(
  deps: Pick<Deps, 'store' | 'now' | 'random' | 'site' | 'remoteUserHeader'>,
  by: Person | Operator,
  idOrEmail: string,
): Promise<FreshLink> {
  requireAdministrator(by)
  const { remoteUserHeader: header } = deps
  if (header !== null) {
    const message = `a proxy signs people in by the header ${header} (REMOTE_USER_HEADER), so accounts have no passwords`
    throw new Refusal('proxy-signs-in', message)
  }
  return issueLink(deps, 'password', (await getAccount(deps, by, idOrEmail)).id)
}

/** Sets the password, ends all sessions and signs in. @throws Refusal `link-ended`, `password-invalid`, `busy` */
export async function choosePassword(
  deps: PasswordDeps,
  token: string,
  password: string,
  browser: Browser,
): Promise<FreshSession> {
  const link = await getLink(deps, 'password', token)
  const account = await linkedAccount(deps, link.accountId)
  requirePassword(password, account.email)
  const passwordHash = await deps.passwords.hash(password)
  const author = authorOf(deps, personOf(account, browser.address))
  const change = (stored: Account): Account => ({ ...stored, passwordHash })
  const changed = await deps.store.by(author).changeAccount(account.id, change, null, link.lookup)
  if (!changed) throw linkEnded()
  return startSession(deps, changed, browser, passwordHash)
}

/**
 * Ends the other sessions.
 * @param session the lookup of the one that stays
 * @param current null when the account has no password yet @throws Refusal `sign-in-failed`, `password-invalid`, `over-limit`, `busy`
 */
export async function changePassword(
  deps: PasswordDeps & Pick<Deps, 'signInLimits'>,
  person: Person,
  session: string | null,
  current: string,
  password: string,
): Promise<void> {
  const account = await deps.store.findAccount(person.accountId)
  if (!account) throw new Refusal('unauthorized', 'the account was deleted')
  if (account.passwordHash !== null)
    await verifyPassword(deps, account.email, account.passwordHash, current, person.address)
  requirePassword(password, account.email)
  const passwordHash = await deps.passwords.hash(password)
  const change = (stored: Account): Account => ({ ...stored, passwordHash })
  await deps.store.by(authorOf(deps, person)).changeAccount(account.id, change, session)
}
