/** Stores the passkeys of accounts. */
import { PASSKEY_LIMIT, type Passkey, type PasskeyUse } from '../../domain/account/passkey.ts'
import { auditedPasskey } from '../../domain/audit/subjects.ts'
import { Refusal } from '../../domain/errors.ts'
import { type Instant, toMicroseconds } from '../../lib/time.ts'
import type { AuditTrail } from '../audit.ts'
import type { Sql } from '../sql/database.ts'
import { PASSKEYS } from '../tables/people.ts'
import { endAccess } from './sessions.ts'

const LIST = 'SELECT * FROM passkeys WHERE account_id = $1 ORDER BY created_at, id'

/** Lists an account's passkeys, oldest first. */
export function listPasskeys(sql: Sql, accountId: string): Promise<Passkey[]> {
  return PASSKEYS.all(sql, LIST, [accountId])
}

export function findPasskey(sql: Sql, id: string): Promise<Passkey | null> {
  return PASSKEYS.get(sql, 'SELECT * FROM passkeys WHERE id = $1', [id])
}

/**
 * Records that a passkey was used, with its counter. Passkeys that are synced between devices have no counter, and always report 0. For
 * other passkeys, a counter that does not increase means that the passkey was cloned (Web Authentication, 6.1.1). The same statement
 * compares and writes, so that the second of two simultaneous uses sees the first.
 */
const USE = `
  UPDATE passkeys SET counter = $2, last_used_at = $3 WHERE id = $1 AND (counter < $2 OR (counter = 0 AND $2 = 0))`

/**
 * Records a signature.
 * @returns false if there is no such passkey, or if its counter did not increase, for example because two sign-ins used the same counter
 * value at the same time
 */
export async function usePasskey(
  sql: Sql,
  { id, counter }: Pick<PasskeyUse, 'id' | 'counter'>,
  at: Instant,
): Promise<boolean> {
  return (await sql.run(USE, [id, counter, toMicroseconds(at)])) > 0
}

const INSERT = `${PASSKEYS.insertion} ON CONFLICT (id) DO NOTHING`

/**
 * Adds a passkey. Like adding any other sign-in method, this ends the account's sessions and links.
 * @param kept lookup of a session to keep; null to end all
 * @throws Refusal `passkey-exists` if any account has the passkey; `passkey-limit` if the account has `PASSKEY_LIMIT` passkeys;
 * `account-not-found`
 */
export async function addPasskey(sql: Sql, trail: AuditTrail, passkey: Passkey, kept: string | null): Promise<void> {
  const { accountId } = passkey
  await sql.lock('account', [accountId])
  const account = await sql.get('SELECT 1 FROM accounts WHERE id = $1', [accountId])
  if (!account) throw new Refusal('account-not-found', 'the account was deleted', { name: accountId })
  if ((await listPasskeys(sql, accountId)).length >= PASSKEY_LIMIT) {
    const message = `an account has at most ${PASSKEY_LIMIT} passkeys: remove one that you don't use`
    throw new Refusal('passkey-limit', message, { limit: PASSKEY_LIMIT })
  }
  const isNew = (await sql.run(INSERT, PASSKEYS.values(passkey))) > 0
  if (!isNew) throw new Refusal('passkey-exists', 'this passkey was added already')
  await endAccess(sql, accountId, kept)
  await trail.note(null, auditedPasskey(passkey))
}

/** Renames a passkey. @returns the renamed passkey; null if the account has no such passkey */
export async function renamePasskey(
  sql: Sql,
  trail: AuditTrail,
  accountId: string,
  id: string,
  name: string,
): Promise<Passkey | null> {
  const before = await findOwn(sql, accountId, id)
  if (!before) return null
  await sql.run('UPDATE passkeys SET name = $2 WHERE id = $1', [id, name])
  const after = { ...before, name }
  await trail.note(auditedPasskey(before), auditedPasskey(after))
  return after
}

/**
 * Removes a passkey. Ends the account's sessions, because one of them may have been started with the passkey.
 * @param kept lookup of a session to keep; null to end all
 * @returns the removed passkey; null if the account has no such passkey
 */
export async function removePasskey(
  sql: Sql,
  trail: AuditTrail,
  accountId: string,
  id: string,
  kept: string | null,
): Promise<Passkey | null> {
  const passkey = await findOwn(sql, accountId, id)
  if (!passkey) return null
  await sql.run('DELETE FROM passkeys WHERE id = $1', [id])
  await endAccess(sql, accountId, kept)
  await trail.note(auditedPasskey(passkey), null)
  return passkey
}

/** Finds one of the account's passkeys and locks the account. @returns null if the passkey belongs to another account */
async function findOwn(sql: Sql, accountId: string, id: string): Promise<Passkey | null> {
  await sql.lock('account', [accountId])
  return PASSKEYS.get(sql, 'SELECT * FROM passkeys WHERE account_id = $1 AND id = $2', [accountId, id])
}
