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
import type { Sql } from '../sql/database.ts'
import { instantOrNull } from '../sql/rows.ts'
import type { Steps } from '../sql/steps.ts'
import type { SignedIn } from '../store.ts'
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

export interface Beginning {
  /** of the password by which it begins; null for another way */
  readonly passwordHash: string | null
  readonly secondFactor: SecondFactor | null
}

export async function createSession(
  sql: Sql,
  session: Session,
  { passwordHash, secondFactor }: Beginning,
  trail: AuditTrail,
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

/** Notes that the person was here. */
export async function seeAccount(sql: Sql, accountId: string, at: Instant): Promise<void> {
  await sql.run(SEEN, [accountId, toMicroseconds(at)])
}

const FIND = 'SELECT * FROM sessions WHERE lookup = $1'

export async function findSession(sql: Sql, lookup: string): Promise<SignedIn | null> {
  const session = await sql.get<SessionRow>(FIND, [lookup])
  if (!session) return null
  const account = await sql.get<AccountRow>('SELECT * FROM accounts WHERE id = $1', [session.account_id])
  return account && { session: toSession(session), account: toAccount(account) }
}

const TOUCH = `
  UPDATE sessions SET last_seen_at = $2, remote_addr = $3 WHERE lookup = $1 AND last_seen_at < $2 RETURNING account_id`

export async function touchSession(sql: Sql, lookup: string, at: Instant, address: string | null): Promise<void> {
  const touched = await sql.get<Pick<SessionRow, 'account_id'>>(TOUCH, [lookup, toMicroseconds(at), address])
  if (touched) await seeAccount(sql, touched.account_id, at)
}

export async function confirmSession(sql: Sql, lookup: string, at: Instant): Promise<boolean> {
  return (await sql.run('UPDATE sessions SET confirmed_at = $2 WHERE lookup = $1', [lookup, toMicroseconds(at)])) > 0
}

export async function listSessions(sql: Sql, accountId: string): Promise<Session[]> {
  const statement = 'SELECT * FROM sessions WHERE account_id = $1 ORDER BY last_seen_at DESC, lookup'
  return (await sql.all<SessionRow>(statement, [accountId])).map(toSession)
}

async function emailOf(sql: Sql, accountId: string): Promise<string> {
  return (await sql.get<{ email: string }>('SELECT email FROM accounts WHERE id = $1', [accountId]))?.email ?? ''
}

export async function endSession(sql: Sql, accountId: string, lookup: string, trail: AuditTrail): Promise<boolean> {
  const statement = 'DELETE FROM sessions WHERE account_id = $1 AND lookup = $2 RETURNING *'
  return (await noteEnds(sql, accountId, await sql.all<SessionRow>(statement, [accountId, lookup]), trail)) > 0
}

const END_OTHERS = 'DELETE FROM sessions WHERE account_id = $1 AND lookup <> $2'

export async function endSessions(
  sql: Sql,
  accountId: string,
  kept: string | null,
  trail: AuditTrail,
): Promise<number> {
  const ended = await sql.all<SessionRow>(`${END_OTHERS} RETURNING *`, [accountId, kept ?? ''])
  return noteEnds(sql, accountId, ended, trail)
}

async function noteEnds(sql: Sql, accountId: string, ended: SessionRow[], trail: AuditTrail): Promise<number> {
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
