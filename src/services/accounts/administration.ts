/** Administrator actions on other users' accounts. */

import type { Account } from '../../domain/account/account.ts'
import { accountNotFound } from '../../domain/account/account.ts'
import { type Operator, type Person, requireAdministrator } from '../../domain/actor.ts'
import type { AllowAccount, ListedAccount } from '../../store/store.ts'
import { authorOf } from '../common/author.ts'
import type { Deps } from '../common/deps.ts'
import { getAccount, mayLose } from './accounts.ts'

export type { ListedAccount } from '../../store/store.ts'

type WriteDeps = Pick<Deps, 'store' | 'now' | 'random'>

export interface AccountPage {
  readonly accounts: readonly ListedAccount[]
  /** the last email address on this page, after which the next page begins; null if this is the last page */
  readonly next: string | null
}

const PAGE = 50

/**
 * Reads a page of accounts, sorted by email.
 * @param text text that the email address must contain; '' for all accounts
 * @param after the last email of the previous page; null for the first page
 */
export async function readAccountPage(
  { store }: Pick<Deps, 'store'>,
  by: Person | Operator,
  text: string,
  after: string | null,
): Promise<AccountPage> {
  requireAdministrator(by)
  const found = await store.accounts.listPage(text, after, PAGE + 1)
  const accounts = found.slice(0, PAGE)
  return { accounts, next: found.length > PAGE ? (accounts.at(-1)?.account.email ?? null) : null }
}

/** Suspends an account. Ends its sessions and invalidates its links. @throws Refusal `account-not-found`, `account-needed` */
export function suspendAccount(deps: WriteDeps, by: Person | Operator, idOrEmail: string): Promise<Account> {
  return administer(deps, by, idOrEmail, { isSuspended: true }, mayLose(by))
}

/** @throws Refusal `account-not-found` */
export function unsuspendAccount(deps: WriteDeps, by: Person | Operator, idOrEmail: string): Promise<Account> {
  return administer(deps, by, idOrEmail, { isSuspended: false }, () => {})
}

/** @throws Refusal `account-not-found`; `account-needed` if the last administrator would lose the role */
export function setAdministrator(
  deps: WriteDeps,
  by: Person | Operator,
  idOrEmail: string,
  isAdministrator: boolean,
): Promise<Account> {
  return administer(deps, by, idOrEmail, { isAdministrator }, isAdministrator ? () => {} : mayLose(by))
}

async function administer(
  deps: WriteDeps,
  by: Person | Operator,
  idOrEmail: string,
  over: Partial<Pick<Account, 'isAdministrator' | 'isSuspended'>>,
  allow: AllowAccount,
): Promise<Account> {
  const { id } = await getAccount(deps, by, idOrEmail)
  const change = (account: Account): Account => ({ ...account, ...over })
  const changed = await deps.store.by(authorOf(deps, by)).accounts.administer(id, change, allow)
  if (!changed) throw accountNotFound(idOrEmail)
  return changed
}

/** @returns the number of ended sessions @throws Refusal `account-not-found` */
export async function signOutEverywhere(deps: WriteDeps, by: Person | Operator, idOrEmail: string): Promise<number> {
  const { id } = await getAccount(deps, by, idOrEmail)
  return deps.store.by(authorOf(deps, by)).sessions.endAll(id, null)
}
