/** Stores authenticator apps and recovery codes. Each code can be used once. */
import type { Account } from '../../domain/account/account.ts'
import { auditedAccount } from '../../domain/audit/subjects.ts'
import type { AuditTrail } from '../audit.ts'
import type { NewSecondFactor } from '../interface/accounts.ts'
import type { Sql } from '../sql/database.ts'
import { changeAccount, findAccount } from './accounts.ts'
import { listPasskeys, removePasskey } from './passkeys.ts'
import { createToken, insertToken, takeToken } from './tokens.ts'

const USE_STEP = `
  UPDATE accounts SET totp_step = $3 WHERE id = $1 AND totp_secret = $2 AND (totp_step IS NULL OR totp_step < $3)`

/**
 * Uses up an authenticator code and the sign-in challenge together. Either both are used up, or neither is.
 * @param secret secret that generated the code
 * @param signIn lookup of that challenge; null if the code is not for a sign-in
 * @returns false if this code or a later one was already used, or the sign-in has ended
 */
export async function useTotpStep(
  sql: Sql,
  accountId: string,
  secret: string,
  step: number,
  signIn: string | null,
): Promise<boolean> {
  // The lock is needed because other changes to the account write back the step that they read at the beginning.
  await sql.lock('account', [accountId])
  return withSignIn(sql, accountId, signIn, async () => (await sql.run(USE_STEP, [accountId, secret, step])) > 0)
}

const CODES = "FROM tokens WHERE account_id = $1 AND purpose = 'recovery-code'"
const USE_CODE = `DELETE ${CODES} AND lookup = $2`

/**
 * Uses up a recovery code and the sign-in challenge together. Either both are used up, or neither is.
 * @param lookup see `recoveryLookup`
 * @param signIn lookup of that challenge
 * @returns false if the account has no such code, or the sign-in has ended
 */
export async function useRecoveryCode(sql: Sql, accountId: string, lookup: string, signIn: string): Promise<boolean> {
  await sql.lock('account', [accountId])
  return withSignIn(sql, accountId, signIn, async () => (await sql.run(USE_CODE, [accountId, lookup])) > 0)
}

/**
 * Removes the challenge first, so that only one of two simultaneous answers can use up a code. Restores the challenge after a wrong code.
 */
async function withSignIn(
  sql: Sql,
  accountId: string,
  signIn: string | null,
  use: () => Promise<boolean>,
): Promise<boolean> {
  if (signIn === null) return use()
  const challenge = await takeToken(sql, signIn, 'second-factor')
  if (challenge === null) return false
  const isUsed = challenge.accountId === accountId && (await use())
  if (!isUsed) await createToken(sql, challenge)
  return isUsed
}

export async function countRecoveryCodes(sql: Sql, accountId: string): Promise<number> {
  return (await sql.get<{ number: number }>(`SELECT count(*) AS number ${CODES}`, [accountId]))?.number ?? 0
}

/**
 * Sets the authenticator app and replaces the recovery codes; null removes both. Ends sessions and links like {@link changeAccount}.
 * @returns null if there is no such account
 */
export async function setSecondFactor(
  sql: Sql,
  trail: AuditTrail,
  id: string,
  factor: NewSecondFactor | null,
  kept: string | null,
): Promise<Account | null> {
  const change = (account: Account): Account => ({ ...account, totp: factor?.totp ?? null })
  const changed = await changeAccount(sql, trail, id, change, kept)
  if (changed) await writeCodes(sql, id, factor?.recoveryLookups ?? [])
  return changed
}

/**
 * Removes all factors except the password: the authenticator app, recovery codes and passkeys. Ends the account's sessions and links.
 * @returns the changed account; null if there is none
 */
export async function removeFactors(sql: Sql, trail: AuditTrail, id: string): Promise<Account | null> {
  const account = await setSecondFactor(sql, trail, id, null, null)
  if (!account) return null
  for (const passkey of await listPasskeys(sql, id)) await removePasskey(sql, trail, id, passkey.id, null)
  return account
}

/** Replaces an account's recovery codes. @param lookups see `recoveryLookup` @returns false if the account has no authenticator app */
export async function replaceRecoveryCodes(
  sql: Sql,
  trail: AuditTrail,
  id: string,
  lookups: readonly string[],
): Promise<boolean> {
  await sql.lock('account', [id])
  const account = await findAccount(sql, id)
  if (!account?.totp) return false
  await writeCodes(sql, id, lookups)
  await trail.note(auditedAccount(account), auditedAccount(account, account, { hasNewCodes: true }))
  return true
}

async function writeCodes(sql: Sql, accountId: string, lookups: readonly string[]): Promise<void> {
  await sql.run(`DELETE ${CODES}`, [accountId])
  for (const lookup of lookups) await insertToken(sql, { lookup, purpose: 'recovery-code', accountId })
}
