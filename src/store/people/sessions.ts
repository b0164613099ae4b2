/** Stores sessions. A session is looked up by a hash of its token. Expired sessions are removed. */
import {
  asksSecondFactor,
  IDLE_SECONDS,
  LONGEST_SECONDS,
  type SecondFactor,
  type Session,
} from '../../domain/account/session.ts'
import { auditedSession } from '../../domain/audit/subjects.ts'
import { addSeconds, type Instant, toMicroseconds } from '../../lib/time.ts'
import type { AuditTrail } from '../audit.ts'
import type { SignedIn } from '../interface/accounts.ts'
import type { Sql } from '../sql/database.ts'
import type { Steps } from '../sql/steps.ts'
import { ACCOUNTS, SESSIONS } from '../tables/people.ts'
import { endTokens } from './tokens.ts'

/**
 * Inserts a session. The parameters are the session's values. $2 is the account. $9 is true if the second factor was verified or is not
 * needed.
 */
const INSERT = `
  INSERT INTO sessions (${SESSIONS.written.join(', ')}) SELECT ${SESSIONS.parameters} FROM accounts
  WHERE id = $2 AND is_suspended = 0 AND (totp_secret IS NULL OR $9 = 1)`

const INSERT_WHILE = `${INSERT} AND password_hash = $10`
const SEEN = 'UPDATE accounts SET last_seen_at = $2 WHERE id = $1 AND (last_seen_at IS NULL OR last_seen_at < $2)'

/**
 * Starts a session.
 * @param passwordHash hash of the password that the user signed in with; null if no password was used
 * @param secondFactor second factor that was also verified
 * @returns false if the account was deleted or suspended in the meantime, its password was changed, or it has a second factor that was not
 * verified
 */
export async function createSession(
  sql: Sql,
  trail: AuditTrail,
  session: Session,
  passwordHash: string | null,
  secondFactor: SecondFactor | null = null,
): Promise<boolean> {
  const isEnough = Number(secondFactor !== null || !asksSecondFactor(session.method))
  const values = [...SESSIONS.values(session), isEnough]
  // The lock is needed because changing the password or adding an authenticator app ends only the sessions that exist at that moment.
  await sql.lock('account', [session.accountId])
  const insert = passwordHash === null ? sql.run(INSERT, values) : sql.run(INSERT_WHILE, [...values, passwordHash])
  const isCreated = (await insert) > 0
  if (!isCreated) return false
  await seeAccount(sql, session.accountId, session.createdAt)
  await trail.note(null, auditedSession(session, await emailOf(sql, session.accountId), secondFactor))
  return true
}

/** Records when an account's user was last seen. Does nothing if a later time is known. */
export async function seeAccount(sql: Sql, accountId: string, at: Instant): Promise<void> {
  await sql.run(SEEN, [accountId, toMicroseconds(at)])
}

const FIND = 'SELECT * FROM sessions WHERE lookup = $1'

/** Finds a session by its lookup, with its account, even if the session has expired. */
export async function findSession(sql: Sql, lookup: string): Promise<SignedIn | null> {
  const session = await SESSIONS.get(sql, FIND, [lookup])
  if (!session) return null
  const account = await ACCOUNTS.get(sql, 'SELECT * FROM accounts WHERE id = $1', [session.accountId])
  return account && { session, account }
}

const TOUCH = `
  UPDATE sessions SET last_seen_at = $2, remote_addr = $3 WHERE lookup = $1 AND last_seen_at < $2 RETURNING account_id`

/** Records when a session was last used and its user was last seen. Does nothing if a later use is known. */
export async function touchSession(sql: Sql, lookup: string, at: Instant, address: string | null): Promise<void> {
  const touched = await sql.get<{ account_id: string }>(TOUCH, [lookup, toMicroseconds(at), address])
  if (touched) await seeAccount(sql, touched.account_id, at)
}

/** Records that the user has confirmed their identity again. @returns false if there is no such session */
export async function confirmSession(sql: Sql, lookup: string, at: Instant): Promise<boolean> {
  return (await sql.run('UPDATE sessions SET confirmed_at = $2 WHERE lookup = $1', [lookup, toMicroseconds(at)])) > 0
}

/** Lists an account's sessions, last seen first, including expired ones. */
export function listSessions(sql: Sql, accountId: string): Promise<Session[]> {
  const statement = 'SELECT * FROM sessions WHERE account_id = $1 ORDER BY last_seen_at DESC, lookup'
  return SESSIONS.all(sql, statement, [accountId])
}

async function emailOf(sql: Sql, accountId: string): Promise<string> {
  return (await sql.get<{ email: string }>('SELECT email FROM accounts WHERE id = $1', [accountId]))?.email ?? ''
}

/** Ends a session. @returns false if the account has no such session */
export async function endSession(sql: Sql, trail: AuditTrail, accountId: string, lookup: string): Promise<boolean> {
  const statement = 'DELETE FROM sessions WHERE account_id = $1 AND lookup = $2 RETURNING *'
  return (await noteEnds(sql, trail, accountId, await SESSIONS.all(sql, statement, [accountId, lookup]))) > 0
}

const END_OTHERS = 'DELETE FROM sessions WHERE account_id = $1 AND lookup <> $2'

/** Ends an account's sessions. @param kept lookup of a session to keep; null to end all @returns number of ended sessions */
export async function endSessions(
  sql: Sql,
  trail: AuditTrail,
  accountId: string,
  kept: string | null,
): Promise<number> {
  const ended = await SESSIONS.all(sql, `${END_OTHERS} RETURNING *`, [accountId, kept ?? ''])
  return noteEnds(sql, trail, accountId, ended)
}

async function noteEnds(sql: Sql, trail: AuditTrail, accountId: string, ended: readonly Session[]): Promise<number> {
  if (ended.length === 0) return 0
  const email = await emailOf(sql, accountId)
  for (const session of ended) await trail.note(auditedSession(session, email), null)
  return ended.length
}

/**
 * Ends the sessions and tokens that are no longer allowed after a change to the account. The change's audit row gives the reason.
 * @param kept as for {@link endSessions}
 */
export async function endAccess(sql: Sql, accountId: string, kept: string | null): Promise<void> {
  await sql.run(END_OTHERS, [accountId, kept ?? ''])
  await endTokens(sql, accountId)
}

const EXPIRED_SESSIONS = 'FROM sessions WHERE last_seen_at < $1 OR created_at < $2'
const EXPIRED_TOKENS = 'FROM tokens WHERE expires_at < $1'

/** Removes expired sessions and tokens. This is fast, because the tables are small. Does not write anything if nothing has expired. */
export async function removeExpired(steps: Steps, now: Instant): Promise<void> {
  const sessions = [toMicroseconds(addSeconds(now, -IDLE_SECONDS)), toMicroseconds(addSeconds(now, -LONGEST_SECONDS))]
  const all = [
    { rows: EXPIRED_SESSIONS, values: sessions },
    { rows: EXPIRED_TOKENS, values: [toMicroseconds(now)] },
  ]
  const found: typeof all = await steps.read(async (sql) => {
    const any = await Promise.all(all.map(({ rows, values }) => sql.get(`SELECT 1 ${rows} LIMIT 1`, values)))
    return all.filter((_, index) => any[index] !== null)
  })
  if (found.length === 0) return
  await steps.write(async (sql) => {
    for (const { rows, values } of found) await sql.run(`DELETE ${rows}`, values)
  })
}
