/** Creates, finds, changes and deletes accounts. */
import { type Account, accountNotFound, Email, normalizeEmail, type Theme } from '../../domain/account/account.ts'
import { type Operator, type Person, requireAdministrator } from '../../domain/actor.ts'
import { Refusal } from '../../domain/errors.ts'
import { requireTimeZone } from '../../domain/schedule/typed/required-schedule.ts'
import { fits } from '../../domain/schema.ts'
import { suggest } from '../../lib/text/suggest.ts'
import type { AllowAccount } from '../../store/store.ts'
import { authorOf } from '../common/author.ts'
import type { Deps } from '../common/deps.ts'
import { type FreshLink, issueLink } from './one-time-links.ts'

/** Display settings for lists; omitted settings stay the same. */
type ListLook = Partial<Pick<Account, 'listRows' | 'listPicture'>>

type WriteDeps = Pick<Deps, 'store' | 'now' | 'random'>

/**
 * Returns a new account without a password. Its time zone is UTC.
 * @param over fields that differ from the defaults, such as `isEmailConfirmed` if the account's owner is known to control the address
 * @throws Refusal `email-invalid`
 */
export function newAccount(
  { now, random }: Pick<Deps, 'now' | 'random'>,
  email: string,
  over: Partial<Pick<Account, 'isAdministrator' | 'isEmailConfirmed' | 'passwordHash' | 'tz'>> = {},
): Account {
  return {
    id: random.uuid(),
    email: readEmail(email),
    passwordHash: null,
    isAdministrator: false,
    tz: 'UTC',
    theme: 'system',
    hasShortcuts: true,
    morningMail: null,
    listRows: 'dense',
    listPicture: 'runs',
    createdAt: now(),
    isSuspended: false,
    totp: null,
    lastSeenAt: null,
    isEmailConfirmed: false,
    ...over,
  }
}

/**
 * @returns the normalized email address, as it is stored
 * @throws Refusal `email-invalid`
 */
export function readEmail(text: string): string {
  const email = normalizeEmail(text)
  if (fits(Email, email)) return email
  throw new Refusal('email-invalid', `"${text}" is not an email address`, { name: text })
}

/**
 * Creates an account.
 * @param tz time zone of the person who creates the account; the account's owner can change it
 * @returns the account, and a link to choose its password; the link is null if only a proxy or the OpenID provider signs users in
 * @throws Refusal `email-invalid`, `account-exists`
 */
export async function createAccount(
  deps: WriteDeps & Pick<Deps, 'site' | 'remoteUserHeader' | 'signInRules'>,
  by: Person | Operator,
  email: string,
  isAdministrator: boolean,
  tz = 'UTC',
): Promise<{ readonly account: Account; readonly link: FreshLink | null }> {
  requireAdministrator(by)
  const account = newAccount(deps, email, { isAdministrator, isEmailConfirmed: true, tz })
  await deps.store.by(authorOf(deps, by)).accounts.create(account)
  const hasPasswords = deps.remoteUserHeader === null && deps.signInRules.hasLocalSignIn
  return { account, link: hasPasswords ? await issueLink(deps, 'password', account.id) : null }
}

/** Lists accounts, sorted by email address. */
export function listAccounts({ store }: Pick<Deps, 'store'>, by: Person | Operator): Promise<Account[]> {
  requireAdministrator(by)
  return store.accounts.list()
}

/**
 * Finds an account by email address, for administrators and the operator. The refusal suggests an account with a similar address.
 * @throws Refusal `account-not-found`
 */
export async function getAccount(
  { store }: Pick<Deps, 'store'>,
  by: Person | Operator,
  idOrEmail: string,
): Promise<Account> {
  requireAdministrator(by)
  const account = await store.accounts.find(idOrEmail)
  if (account) return account
  const emails = (await store.accounts.list()).map(({ email }) => email)
  throw accountNotFound(idOrEmail, suggest(idOrEmail, emails) ?? undefined)
}

/**
 * Like {@link getAccount}, for callers that create a link for the account.
 * @throws Refusal `account-not-found`; `account-suspended`, because a suspended account's links don't work
 */
export async function getActiveAccount(
  deps: Pick<Deps, 'store'>,
  by: Person | Operator,
  idOrEmail: string,
): Promise<Account> {
  const account = await getAccount(deps, by, idOrEmail)
  if (!account.isSuspended) return account
  throw new Refusal('account-suspended', `the account of ${account.email} is suspended: links cannot sign it in`)
}

/**
 * Returns a guard that keeps the last administrator account from being removed. The command line may remove that account, because it can
 * create another one.
 */
export function mayLose(by: Person | Operator): AllowAccount {
  return ({ email, isAdministrator, isSuspended }, hasOther) => {
    if (by.kind === 'operator' || !isAdministrator || isSuspended || hasOther) return
    const problem = 'it is the last administrator'
    throw new Refusal('account-needed', `the account of ${email} is needed: ${problem}`, { problems: [problem] })
  }
}

/** Deletes an account. Its projects are kept. @throws Refusal `account-not-found`, `account-needed` */
export async function deleteAccount(deps: WriteDeps, by: Person | Operator, idOrEmail: string): Promise<Account> {
  const { id } = await getAccount(deps, by, idOrEmail)
  const deleted = await deps.store.by(authorOf(deps, by)).accounts.delete(id, mayLose(by))
  if (!deleted) throw accountNotFound(idOrEmail)
  return deleted
}

interface Preferences {
  /** IANA name of a time zone */
  readonly tz: string
  readonly theme: Theme
  readonly hasShortcuts: boolean
}

/** @throws Refusal `tz-invalid` */
export async function setPreferences(deps: WriteDeps, person: Person, preferences: Preferences): Promise<void> {
  const tz = requireTimeZone(preferences.tz)
  const change = (stored: Account): Account => ({ ...stored, ...preferences, tz })
  await deps.store.by(authorOf(deps, person)).accounts.change(person.accountId, change, null)
}

/** Stores the person's display settings for lists. */
export async function setListLook(deps: WriteDeps, person: Person, look: ListLook): Promise<void> {
  const change = (stored: Account): Account => ({ ...stored, ...look })
  await deps.store.by(authorOf(deps, person)).accounts.change(person.accountId, change, null)
}
