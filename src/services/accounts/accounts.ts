/** Creates, finds, changes and deletes accounts. */
import { type Account, Email, normalizeEmail, type Theme } from '../../domain/account/account.ts'
import { type Operator, type Person, requireAdministrator } from '../../domain/actor.ts'
import { Refusal } from '../../domain/errors.ts'
import { canonicalTimeZone } from '../../domain/schedule/time-zones.ts'
import { fits } from '../../domain/schema.ts'
import { suggest } from '../../lib/suggest.ts'
import { authorOf } from '../author.ts'
import type { Deps } from '../deps.ts'
import { type FreshLink, issueLink } from './one-time-links.ts'

type WriteDeps = Pick<Deps, 'store' | 'now' | 'random'>

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

/** @returns the canonical name @throws Refusal `tz-invalid` */
export function readTimeZone(text: string): string {
  const tz = canonicalTimeZone(text)
  if (tz !== null) return tz
  throw new Refusal('tz-invalid', `"${text}" is no time zone; use a name such as Europe/Riga`, { name: text })
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

/** For who may see all accounts: names the one that is probably meant. @throws Refusal `account-not-found` */
export async function getAccount(
  { store }: Pick<Deps, 'store'>,
  by: Person | Operator,
  idOrEmail: string,
): Promise<Account> {
  requireAdministrator(by)
  const account = await store.findAccount(idOrEmail)
  if (account) return account
  const emails = (await store.listAccounts()).map(({ email }) => email)
  throw accountNotFound(idOrEmail, suggest(idOrEmail, emails) ?? undefined)
}

/** @param meant the email of an account, for who may see all of them */
export function accountNotFound(name: string, meant?: string): Refusal {
  return new Refusal('account-not-found', `there is no account of "${name}"`, { name, meant })
}

/** @throws Refusal `account-not-found` */
export async function deleteAccount(deps: WriteDeps, by: Person | Operator, idOrEmail: string): Promise<Account> {
  const { id } = await getAccount(deps, by, idOrEmail)
  const deleted = await deps.store.by(authorOf(deps, by)).deleteAccount(id)
  if (!deleted) throw accountNotFound(idOrEmail)
  return deleted
}

export interface Preferences {
  /** name of an IANA time zone */
  readonly tz: string
  readonly theme: Theme
  readonly hasShortcuts: boolean
}

/** @throws Refusal `tz-invalid` */
export async function setPreferences(deps: WriteDeps, person: Person, preferences: Preferences): Promise<void> {
  const tz = readTimeZone(preferences.tz)
  const change = (stored: Account): Account => ({ ...stored, ...preferences, tz })
  await deps.store.by(authorOf(deps, person)).changeAccount(person.accountId, change, null)
}
