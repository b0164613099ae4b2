/** Sessions, which are found by the hash of a token; what has expired is removed. */
import {
  asksSecondFactor,
  IDLE_SECONDS,
  LONGEST_SECONDS,
  type SecondFactor,
  type Session,
  SIGN_IN_METHODS,
} from '../../domain/account/session.ts'
import { auditedSession } from '../../domain/audit/subjects.ts'
import { addSeconds, fromMicroseconds, type Instant, toMicroseconds } from '../../lib/time.ts'
import type { AuditTrail } from '../audit.ts'
import type { SignedIn } from '../interface/accounts.ts'
import type { Sql } from '../sql/database.ts'
import { instantOrNull } from '../sql/rows.ts'
import type { Steps } from '../sql/steps.ts'
import { type AccountRow, toAccount } from './account-rows.ts'
import { endTokens } from './tokens.ts'

interface SessionRow {
  lookup: string
  account_id: string
  created_at: number
  last_seen_at: number
  remote_addr: string | null
  ua: string
  method: string
  confirmed_at: number | null
}

function toSession(row: SessionRow): Session {
  return {
    lookup: row.lookup,
    accountId: row.account_id,
    createdAt: fromMicroseconds(row.created_at),
    lastSeenAt: fromMicroseconds(row.last_seen_at),
    address: row.remote_addr,
    userAgent: row.ua,
    method: SIGN_IN_METHODS.find((method) => method === row.method) ?? null,
    confirmedAt: instantOrNull(row.confirmed_at),
  }
}

const INSERT = `
  INSERT INTO sessions (lookup, account_id, created_at, last_seen_at, remote_addr, ua, method, confirmed_at)
  SELECT $1, id, $3, $4, $5, $6, $7, $8 FROM accounts
  WHERE id = $2 AND is_suspended = 0 AND (totp_secret IS NULL OR $9 = 1)`

const INSERT_WHILE = `${INSERT} AND password_hash = $10`
const SEEN = 'UPDATE accounts SET last_seen_at = $2 WHERE id = $1 AND (last_seen_at IS NULL OR last_seen_at < $2)'

/**
 * @param passwordHash of the password by which the session begins; null for another way
 * @param secondFactor that was asked for besides
 * @returns false if the account was deleted or suspended meanwhile, its password was changed, or it has a second factor that was not asked for
 */
export async function createSession(
  sql: Sql,
  trail: AuditTrail,
  session: Session,
  passwordHash: string | null,
  secondFactor: SecondFactor | null = null,
): Promise<boolean> {
  const values = [
    session.lookup,
    session.accountId,
    toMicroseconds(session.createdAt),
    toMicroseconds(session.lastSeenAt),
    session.address,
    session.userAgent,
    session.method ?? '',
    session.confirmedAt && toMicroseconds(session.confirmedAt),
    Number(secondFactor !== null || !asksSecondFactor(session.method)),
  ]
  // A change of the password, and an app that is set up, end the sessions that they see.
  await sql.lock('account', [session.accountId])
  const insert = passwordHash === null ? sql.run(INSERT, values) : sql.run(INSERT_WHILE, [...values, passwordHash])
  const isCreated = (await insert) > 0
  if (!isCreated) return false
  await seeAccount(sql, session.accountId, session.createdAt)
  await trail.note(null, auditedSession(session, await emailOf(sql, session.accountId), secondFactor))
  return true
}

/** Notes that the person was here, for who has no session. Does nothing if they were seen later. */
export async function seeAccount(sql: Sql, accountId: string, at: Instant): Promise<void> {
  await sql.run(SEEN, [accountId, toMicroseconds(at)])
}

const FIND = 'SELECT * FROM sessions WHERE lookup = $1'

/** Also one that has expired. */
export async function findSession(sql: Sql, lookup: string): Promise<SignedIn | null> {
  const session = await sql.get<SessionRow>(FIND, [lookup])
  if (!session) return null
  const account = await sql.get<AccountRow>('SELECT * FROM accounts WHERE id = $1', [session.account_id])
  return account && { session: toSession(session), account: toAccount(account) }
}

const TOUCH = `
  UPDATE sessions SET last_seen_at = $2, remote_addr = $3 WHERE lookup = $1 AND last_seen_at < $2 RETURNING account_id`

/** Does nothing if it was seen later. */
export async function touchSession(sql: Sql, lookup: string, at: Instant, address: string | null): Promise<void> {
  const touched = await sql.get<Pick<SessionRow, 'account_id'>>(TOUCH, [lookup, toMicroseconds(at), address])
  if (touched) await seeAccount(sql, touched.account_id, at)
}

/** Notes that the person proved again who they are. @returns false if there is no such session */
export async function confirmSession(sql: Sql, lookup: string, at: Instant): Promise<boolean> {
  return (await sql.run('UPDATE sessions SET confirmed_at = $2 WHERE lookup = $1', [lookup, toMicroseconds(at)])) > 0
}

/** Last seen first; also those that have expired. */
export async function listSessions(sql: Sql, accountId: string): Promise<Session[]> {
  const statement = 'SELECT * FROM sessions WHERE account_id = $1 ORDER BY last_seen_at DESC, lookup'
  return (await sql.all<SessionRow>(statement, [accountId])).map(toSession)
}

async function emailOf(sql: Sql, accountId: string): Promise<string> {
  return (await sql.get<{ email: string }>('SELECT email FROM accounts WHERE id = $1', [accountId]))?.email ?? ''
}

/** @returns false if the account has no such session */
export async function endSession(sql: Sql, trail: AuditTrail, accountId: string, lookup: string): Promise<boolean> {
  const statement = 'DELETE FROM sessions WHERE account_id = $1 AND lookup = $2 RETURNING *'
  return (await noteEnds(sql, trail, accountId, await sql.all<SessionRow>(statement, [accountId, lookup]))) > 0
}

const END_OTHERS = 'DELETE FROM sessions WHERE account_id = $1 AND lookup <> $2'

/** @param kept the lookup of a session that stays; null ends all @returns how many ended */
export async function endSessions(
  sql: Sql,
  trail: AuditTrail,
  accountId: string,
  kept: string | null,
): Promise<number> {
  const ended = await sql.all<SessionRow>(`${END_OTHERS} RETURNING *`, [accountId, kept ?? ''])
  return noteEnds(sql, trail, accountId, ended)
}

async function noteEnds(sql: Sql, trail: AuditTrail, accountId: string, ended: SessionRow[]): Promise<number> {
  if (ended.length === 0) return 0
  const email = await emailOf(sql, accountId)
  for (const row of ended) await trail.note(auditedSession(toSession(row), email), null)
  return ended.length
}

/** Ends what a changed account does not allow any more; the row of that change says why. @param kept as for {@link endSessions} */
export async function endAccess(sql: Sql, accountId: string, kept: string | null): Promise<void> {
  await sql.run(END_OTHERS, [accountId, kept ?? ''])
  await endTokens(sql, accountId)
}

const EXPIRED_SESSIONS = 'FROM sessions WHERE last_seen_at < $1 OR created_at < $2'
const EXPIRED_TOKENS = 'FROM tokens WHERE expires_at < $1'

/** These tables are small. Nothing is written when nothing has expired. */
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
