/** Stores the OpenID identities that are linked to accounts. */
import type { Account } from '../../domain/account/account.ts'
import type { Identity, IdentityKey } from '../../domain/account/identity.ts'
import { auditedIdentity } from '../../domain/audit/subjects.ts'
import { Refusal } from '../../domain/errors.ts'
import { type Instant, toMicroseconds } from '../../lib/time.ts'
import type { AuditTrail } from '../audit.ts'
import type { Sql } from '../sql/database.ts'
import { ACCOUNTS, IDENTITIES } from '../tables/people.ts'
import { createAccount, findAccount } from './accounts.ts'
import { endAccess } from './sessions.ts'

const ACCOUNT_OF = `
  SELECT accounts.* FROM identities JOIN accounts ON accounts.id = identities.account_id
  WHERE identities.issuer = $1 AND identities.subject = $2`

/** Finds the account to which an identity is linked. @returns null if it is not linked to any account */
export function findAccountOf(sql: Sql, { issuer, subject }: IdentityKey): Promise<Account | null> {
  return ACCOUNTS.get(sql, ACCOUNT_OF, [issuer, subject])
}

const LIST = 'SELECT * FROM identities WHERE account_id = $1 ORDER BY created_at, issuer, subject'

/** Lists an account's identities, oldest first. */
export function listIdentities(sql: Sql, accountId: string): Promise<Identity[]> {
  return IDENTITIES.all(sql, LIST, [accountId])
}

const TOUCH = `
  UPDATE identities SET last_used_at = $3
  WHERE issuer = $1 AND subject = $2 AND (last_used_at IS NULL OR last_used_at < $3)`

/** Records that an identity was used. Does nothing if a later use is known. */
export async function touchIdentity(sql: Sql, { issuer, subject }: IdentityKey, at: Instant): Promise<void> {
  await sql.run(TOUCH, [issuer, subject, toMicroseconds(at)])
}

/**
 * Creates the account and links the identity to it.
 * @throws Refusal `account-exists`; `identity-taken` if the identity is already linked
 */
export async function createAccountOf(
  sql: Sql,
  trail: AuditTrail,
  identity: Identity,
  account: Account,
): Promise<void> {
  await sql.lock('identity', [keyOf(identity)])
  await createAccount(sql, trail, account)
  await insert(sql, trail, identity, account)
}

/**
 * Links an identity to an account. Like adding any other sign-in method, this ends the account's other sessions and its links. Does nothing
 * if the identity is already linked to this account.
 * @param kept lookup of a session to keep; null to end all
 * @throws Refusal `identity-taken` if the identity is linked to another account, `account-not-found`
 */
export async function linkIdentity(
  sql: Sql,
  trail: AuditTrail,
  identity: Identity,
  kept: string | null,
): Promise<void> {
  await sql.lock('identity', [keyOf(identity)])
  await sql.lock('account', [identity.accountId])
  const account = await findAccount(sql, identity.accountId)
  if (!account) throw new Refusal('account-not-found', 'the account was deleted', { name: '' })
  if (await insert(sql, trail, identity, account)) await endAccess(sql, account.id, kept)
}

/**
 * Inserts an identity that the caller has locked.
 * @returns false if it was already linked to the account
 * @throws Refusal `identity-taken`
 */
async function insert(sql: Sql, trail: AuditTrail, identity: Identity, account: Account): Promise<boolean> {
  const holder = await findAccountOf(sql, identity)
  if (holder?.id === account.id) return false
  if (holder) throw new Refusal('identity-taken', 'this identity is linked to another account')
  await IDENTITIES.insert(sql, { ...identity, accountId: account.id })
  await trail.note(null, auditedIdentity(identity, account.email))
  return true
}

const DELETE = 'DELETE FROM identities WHERE issuer = $1 AND subject = $2 AND account_id = $3 RETURNING *'

/**
 * Unlinks an identity. Ends the account's sessions and links, because they may have been created by the owner of the identity.
 * @param allow called with the account's remaining identities; throws to reject the change
 * @param kept lookup of a session to keep; null to end all
 * @returns the unlinked identity; null if the account has no such identity
 */
export async function unlinkIdentity(
  sql: Sql,
  trail: AuditTrail,
  accountId: string,
  key: IdentityKey,
  allow: (kept: readonly Identity[]) => void,
  kept: string | null,
): Promise<Identity | null> {
  await sql.lock('account', [accountId])
  const account = await findAccount(sql, accountId)
  const identity = await IDENTITIES.get(sql, DELETE, [key.issuer, key.subject, accountId])
  if (!account || !identity) return null
  allow(await listIdentities(sql, accountId))
  await endAccess(sql, accountId, kept)
  await trail.note(auditedIdentity(identity, account.email), null)
  return identity
}

function keyOf({ issuer, subject }: IdentityKey): string {
  return `${issuer} ${subject}`
}
