/** Verifies, resets and changes account passwords. */
import { type Account, withProvenEmail } from '../../../domain/account/account.ts'
import { passwordProblem } from '../../../domain/account/password.ts'
import { linkEnded } from '../../../domain/account/token.ts'
import { type Operator, type Person, requireAdministrator } from '../../../domain/actor.ts'
import { Refusal } from '../../../domain/errors.ts'
import type { HashTurn } from '../../../lib/secrets/password-hasher.ts'
import { authorOf } from '../../common/author.ts'
import type { Deps } from '../../common/deps.ts'
import { getActiveAccount } from '../accounts.ts'
import { type FreshLink, getAccountLink, issueLink, requireSameEmail } from '../one-time-links.ts'
import { accountTurn, visitorTurn } from './hash-turns.ts'
import { beginSignIn, type Entrance } from './second-factor.ts'
import { type Browser, personOf } from './sessions.ts'

type PasswordDeps = Pick<Deps, 'store' | 'now' | 'random' | 'passwords'>

/** @throws Refusal `password-invalid` with a message that says which passwords are valid */
export function requirePassword(password: string, email: string): void {
  const problem = passwordProblem(password, email)
  if (problem !== null) throw new Refusal('password-invalid', `the password ${problem}`)
}

/**
 * Verifies a password.
 * @param who the account, or null if no account has the email address
 * @param address the client's address; null if unknown
 * @throws Refusal `sign-in-failed`; `over-limit`, which is checked first; `busy` if too many users are signing in at once
 */
export async function verifyPassword(
  { passwords, signInLimits }: Pick<Deps, 'passwords' | 'signInLimits'>,
  who: Pick<Account, 'email' | 'passwordHash'>,
  password: string,
  address: string | null,
  turn: HashTurn,
): Promise<void> {
  const attempt = signInLimits.begin(who.email, address)
  if (!attempt.isAllowed) {
    const { retryAfterSeconds } = attempt
    throw new Refusal('over-limit', 'too many sign-ins have failed', { retryAfterSeconds })
  }
  let isRight: boolean
  try {
    isRight = await passwords.verify(password, who.passwordHash, turn)
  } catch (error) {
    attempt.takeBack()
    throw error
  }
  if (isRight) return attempt.succeed()
  const { left, waitSeconds } = attempt.fail()
  throw new Refusal('sign-in-failed', 'email and password do not match', { triesLeft: left, waitSeconds })
}

/**
 * @returns a link to choose another password; the old password stays valid until the link is used
 * @throws Refusal `account-not-found`, `account-suspended`; `proxy-signs-in`, `provider-signs-in` if accounts have no passwords
 */
export async function resetPassword(
  deps: Pick<Deps, 'store' | 'now' | 'random' | 'site' | 'remoteUserHeader' | 'signInRules'>,
  by: Person | Operator,
  idOrEmail: string,
): Promise<FreshLink> {
  requireAdministrator(by)
  const { remoteUserHeader: header } = deps
  if (header !== null) {
    const message = `a proxy signs people in by the header ${header} (REMOTE_USER_HEADER), so accounts have no passwords`
    throw new Refusal('proxy-signs-in', message)
  }
  if (!deps.signInRules.hasLocalSignIn) {
    const message = 'people sign in at the OpenID provider only (LOCAL_SIGN_IN), so accounts have no passwords'
    throw new Refusal('provider-signs-in', message)
  }
  const { id } = await getActiveAccount(deps, by, idOrEmail)
  return issueLink(deps, 'password', id, null, authorOf(deps, by))
}

/**
 * Sets the password and ends all sessions. Then signs the person in, or requests the second factor. A mailed link proves that the person
 * owns the address. If the address was not confirmed before, settings that a stranger may have added are removed.
 * @throws Refusal `link-ended`, `password-invalid`, `busy`
 */
export async function choosePassword(
  deps: PasswordDeps,
  token: string,
  password: string,
  browser: Browser,
): Promise<Entrance> {
  const { link, account } = await getAccountLink(deps, 'password', token)
  requirePassword(password, account.email)
  const passwordHash = await deps.passwords.hash(password, visitorTurn(browser.address))
  const author = authorOf(deps, personOf(account, browser.address))
  const set = (stored: Account): Account => ({ ...stored, passwordHash })
  const prove = (stored: Account): Account => set(withProvenEmail(requireSameEmail(stored, link)))
  const writes = deps.store.by(author)
  const changed =
    link.email === null
      ? await writes.accounts.change(account.id, set, null, link.lookup)
      : await writes.accounts.proveEmail(account.id, prove, link.lookup)
  if (!changed) throw linkEnded()
  return beginSignIn(deps, changed, browser, { method: 'password', passwordHash })
}

/**
 * Changes the password, and ends the other sessions. The caller has already verified the person's identity.
 * @param session token hash of the session to keep
 * @throws Refusal `password-invalid`, `busy`; `over-limit`, which is checked first
 */
export async function changePassword(
  deps: PasswordDeps & Pick<Deps, 'signInLimits'>,
  person: Person,
  session: string | null,
  password: string,
): Promise<void> {
  const account = await deps.store.accounts.find(person.accountId)
  if (!account) throw new Refusal('unauthorized', 'the account was deleted')
  requirePassword(password, account.email)
  const retryAfterSeconds = deps.signInLimits.changePassword(account.id)
  if (retryAfterSeconds > 0)
    throw new Refusal('over-limit', 'the password was changed too often', { retryAfterSeconds })
  const passwordHash = await deps.passwords.hash(password, accountTurn(account.id))
  const change = (stored: Account): Account => ({ ...stored, passwordHash })
  await deps.store.by(authorOf(deps, person)).accounts.change(account.id, change, session)
}
