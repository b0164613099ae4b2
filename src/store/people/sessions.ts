/** Sessions and one-time links, which are found by the hash of a token; what has expired is removed. */
import type { LinkPurpose, OneTimeLink } from '../../domain/account/one-time-link.ts'
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
  for (const table of ['one_time_links', 'challenges']) {
    await sql.run(`DELETE FROM ${table} WHERE account_id = $1`, [accountId])
  }
}

interface LinkRow {
  lookup: string
  purpose: LinkPurpose
  account_id: string | null
  expires_at: number
  email: string | null
}

function toLink(row: LinkRow): OneTimeLink {
  return {
    lookup: row.lookup,
    purpose: row.purpose,
    accountId: row.account_id,
    expiresAt: fromMicroseconds(row.expires_at),
    email: row.email,
  }
}

const SAME_FOR_NOBODY = 'DELETE FROM one_time_links WHERE purpose = $1 AND account_id IS NULL'
const SAME_FOR_ACCOUNT = 'DELETE FROM one_time_links WHERE purpose = $1 AND account_id = $2'

const SAME_FOR_EMAIL = 'DELETE FROM one_time_links WHERE purpose = $1 AND account_id IS NULL AND email = $2'

type Alike = Pick<OneTimeLink, 'purpose' | 'accountId' | 'email'>

async function endAlike(sql: Sql, { purpose, accountId, email }: Alike): Promise<void> {
  // Each link to sign up belongs to somebody else.
  if (purpose === 'sign-up') await sql.run(SAME_FOR_EMAIL, [purpose, email])
  else if (accountId === null) await sql.run(SAME_FOR_NOBODY, [purpose])
  else await sql.run(SAME_FOR_ACCOUNT, [purpose, accountId])
}

export async function createLink(sql: Sql, link: OneTimeLink): Promise<void> {
  const { lookup, purpose, accountId, expiresAt, email } = link
  // Not those that are mailed, which anybody may ask for: a stranger could make them all useless. Nor those for the first account,
  // of which each server that starts prints one.
  if (purpose === 'password' && email === null) await endAlike(sql, link)
  await sql.run(
    'INSERT INTO one_time_links (lookup, purpose, account_id, expires_at, email) VALUES ($1, $2, $3, $4, $5)',
    [lookup, purpose, accountId, toMicroseconds(expiresAt), email],
  )
}

export async function findLink(sql: Sql, lookup: string): Promise<OneTimeLink | null> {
  const row = await sql.get<LinkRow>('SELECT * FROM one_time_links WHERE lookup = $1', [lookup])
  return row && toLink(row)
}

export async function useLink(sql: Sql, lookup: string): Promise<boolean> {
  const link = await findLink(sql, lookup)
  const isUsed = link !== null && (await sql.run('DELETE FROM one_time_links WHERE lookup = $1', [lookup])) > 0
  if (isUsed) await endAlike(sql, link)
  return isUsed
}

const EXPIRED_SESSIONS = 'FROM sessions WHERE last_seen_at < $1 OR created_at < $2'
/** What has an end of its own. */
const EXPIRED = ['one_time_links', 'challenges', 'invitations', 'ownership_offers'].map(
  (table) => `FROM ${table} WHERE expires_at < $1`,
)

/** These tables are small. Nothing is written when nothing has expired. */
export async function removeExpired(steps: Steps, now: Instant): Promise<void> {
  const sessions = [toMicroseconds(addSeconds(now, -IDLE_SECONDS)), toMicroseconds(addSeconds(now, -LONGEST_SECONDS))]
  const all = [
    { rows: EXPIRED_SESSIONS, values: sessions },
    ...EXPIRED.map((rows) => ({ rows, values: [toMicroseconds(now)] })),
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
