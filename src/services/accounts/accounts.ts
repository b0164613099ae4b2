/** Creates, finds, changes and deletes accounts. */
import { type Account, Email, normalizeEmail, type Theme } from '../../domain/account/account.ts'
import { passwordProblem } from '../../domain/account/password.ts'
import { type Operator, type Person, requireAdministrator } from '../../domain/actor.ts'
import { Refusal } from '../../domain/errors.ts'
import { fits } from '../../domain/schema.ts'
import { suggest } from '../../lib/suggest.ts'
import { authorOf } from '../author.ts'
import type { Deps } from '../deps.ts'
import { type FreshLink, getLink, issueLink, linkEnded, useLink } from './one-time-links.ts'
import { type Browser, type FreshSession, personOf, startSession } from './sessions.ts'
import { verifyPassword } from './sign-in.ts'

type WriteDeps = Pick<Deps, 'store' | 'now' | 'random'>
type PasswordDeps = WriteDeps & Pick<Deps, 'passwords'>

/** An account without a password, in the zone of the server. @throws Refusal `email-invalid` */
export function newAccount(
  { now, random }: Pick<Deps, 'now' | 'random'>,
  email: string,
  over: Partial<Pick<Account, 'isAdministrator' | 'passwordHash' | 'tz'>> = {},
): Account {
  return {
    id: random.uuid(),
    email: readEmail(email),
    passwordHash: null,
    isAdministrator: false,
    tz: 'UTC',
    theme: 'system',
    hasShortcuts: true,
    createdAt: now(),
    ...over,
  }
}

/** @returns the form that is stored @throws Refusal `email-invalid` */
export function readEmail(text: string): string {
  const email = normalizeEmail(text)
  if (fits(Email, email)) return email
  throw new Refusal('email-invalid', `"${text}" is not an email address`, { name: text })
}

/** @throws Refusal `password-invalid` with what to use instead */
export function requirePassword(password: string, email: string): void {
  const problem = passwordProblem(password, email)
  if (problem !== null) throw new Refusal('password-invalid', `the password ${problem}`)
}

/**
 * @returns the account, and a link to choose its password; null where a proxy signs people in
 * @throws Refusal `email-invalid`, `account-exists`
 */
export async function createAccount(
  deps: WriteDeps & Pick<Deps, 'site' | 'remoteUserHeader'>,
  by: Person | Operator,
  email: string,
  isAdministrator: boolean,
): Promise<{ readonly account: Account; readonly link: FreshLink | null }> {
  requireAdministrator(by)
  const account = newAccount(deps, email, { isAdministrator })
  await deps.store.by(authorOf(deps, by)).createAccount(account)
  return { account, link: deps.remoteUserHeader === null ? await issueLink(deps, 'password', account.id) : null }
}

/** By email. */
export function listAccounts({ store }: Pick<Deps, 'store'>, by: Person | Operator): Promise<Account[]> {
  requireAdministrator(by)
  return store.listAccounts()
}

/** @throws Refusal `account-not-found` */
export async function getAccount({ store }: Pick<Deps, 'store'>, idOrEmail: string): Promise<Account> {
  const account = await store.findAccount(idOrEmail)
  if (account) return account
  const meant =
    suggest(
      idOrEmail,
      (await store.listAccounts()).map(({ email }) => email),
    ) ?? undefined
  throw new Refusal('account-not-found', `there is no account of "${idOrEmail}"`, { name: idOrEmail, meant })
}

/**
 * @returns a link to choose another password; the old one stays valid until then
 * @throws Refusal `account-not-found`; `proxy-signs-in` where accounts have no passwords
 */
export async function resetPassword(
  deps: WriteDeps & Pick<Deps, 'site' | 'remoteUserHeader'>,
  by: Person | Operator,
  idOrEmail: string,
): Promise<FreshLink> {
  requireAdministrator(by)
  const { remoteUserHeader: header } = deps
  if (header !== null) {
    const message = `a proxy signs people in by the header ${header} (REMOTE_USER_HEADER), so accounts have no passwords`
    throw new Refusal('proxy-signs-in', message)
  }
  return issueLink(deps, 'password', (await getAccount(deps, idOrEmail)).id)
}

/** @throws Refusal `account-not-found` */
export async function deleteAccount(deps: WriteDeps, by: Person | Operator, idOrEmail: string): Promise<Account> {
  requireAdministrator(by)
  const { id } = await getAccount(deps, idOrEmail)
  return (await deps.store.by(authorOf(deps, by)).deleteAccount(id)) ?? getAccount(deps, idOrEmail)
}

/** The account that a link is for. @throws Refusal `link-ended` */
export async function getLinkedAccount(
  deps: Pick<Deps, 'store' | 'now'>,
  purpose: 'password' | 'sign-in',
  token: string,
): Promise<Account> {
  return linkedAccount(deps, (await getLink(deps, purpose, token)).accountId)
}

async function linkedAccount({ store }: Pick<Deps, 'store'>, id: string | null): Promise<Account> {
  const account = id === null ? null : await store.findAccount(id)
  if (!account) throw linkEnded()
  return account
}

/** Signs in by a mailed link. @throws Refusal `link-ended` */
export async function signInByLink(deps: WriteDeps, token: string, browser: Browser): Promise<FreshSession> {
  const { accountId } = await useLink(deps, 'sign-in', token)
  return startSession(deps, await linkedAccount(deps, accountId), browser, null)
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
  const account = await getAccount(deps, person.accountId)
  if (account.passwordHash !== null)
    await verifyPassword(deps, account.email, account.passwordHash, current, person.address)
  requirePassword(password, account.email)
  const passwordHash = await deps.passwords.hash(password)
  const change = (stored: Account): Account => ({ ...stored, passwordHash })
  await deps.store.by(authorOf(deps, person)).changeAccount(account.id, change, session)
}

export interface Preferences {
  /** canonical IANA name */
  readonly tz: string
  readonly theme: Theme
  readonly hasShortcuts: boolean
}

export async function setPreferences(
  deps: WriteDeps,
  person: Person,
  session: string | null,
  preferences: Preferences,
): Promise<void> {
  const change = (stored: Account): Account => ({ ...stored, ...preferences })
  await deps.store.by(authorOf(deps, person)).changeAccount(person.accountId, change, session)
}
