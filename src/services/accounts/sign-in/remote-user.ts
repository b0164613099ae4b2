/** Finds and creates the accounts of users whom a proxy signs in. */
import { type Account, exactEmail } from '../../../domain/account/account.ts'
import { isStale } from '../../../domain/account/session.ts'
import { Refusal } from '../../../domain/errors.ts'
import { authorOf } from '../../common/author.ts'
import type { Deps } from '../../common/deps.ts'
import { newAccount } from '../accounts.ts'
import { personOf } from './sessions.ts'

/**
 * Returns the account with the email address that the proxy sent. Returns null if there is no such account, or if it is suspended.
 * @throws Refusal `email-invalid`, which names the header
 */
export async function findRemoteUser(
  { store, remoteUserHeader }: Pick<Deps, 'store' | 'remoteUserHeader'>,
  given: string,
): Promise<Account | null> {
  const account = await findNamed({ store, remoteUserHeader }, given)
  return account?.isSuspended ? null : account
}

/** @throws Refusal `email-invalid` */
async function findNamed(
  { store, remoteUserHeader }: Pick<Deps, 'store' | 'remoteUserHeader'>,
  given: string,
): Promise<Account | null> {
  const email = exactEmail(given)
  if (email !== null) return store.accounts.find(email)
  const message = `the proxy names "${given}" in the header ${remoteUserHeader}. It must send an email address without spaces, and without capitals other than A to Z`
  throw new Refusal('email-invalid', message, { name: given })
}

/**
 * Like {@link findRemoteUser}, but also creates a missing account, and records the time of the request at most once every five minutes.
 * The first account becomes an administrator, so it is created only with its set-up link or from the settings. Until that account
 * exists, this function creates no accounts.
 * @param address the client's address; null if unknown
 * @throws Refusal `email-invalid`
 */
export async function welcomeRemoteUser(
  deps: Pick<Deps, 'store' | 'now' | 'random' | 'remoteUserHeader'>,
  given: string,
  address: string | null,
): Promise<Account | null> {
  const known = await findNamed(deps, given)
  if (known) return known.isSuspended ? null : seen(deps, known)
  if (!(await deps.store.accounts.exist())) return null
  const account = newAccount(deps, given, { isEmailConfirmed: true })
  try {
    await deps.store.by(authorOf(deps, personOf(account, address))).accounts.create(account)
    return account
  } catch (error) {
    // Another request from the same page created the account in the meantime.
    if (error instanceof Refusal && error.code === 'account-exists') return findRemoteUser(deps, given)
    throw error
  }
}

async function seen({ store, now }: Pick<Deps, 'store' | 'now'>, account: Account): Promise<Account> {
  const { id, lastSeenAt } = account
  const at = now()
  if (lastSeenAt === null || isStale({ lastSeenAt }, at)) await store.accounts.see(id, at)
  return account
}
