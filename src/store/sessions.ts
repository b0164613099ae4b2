/** Sessions and one-time links, which are found by the hash of a token. */
import type { LinkPurpose, OneTimeLink } from '../domain/account/one-time-link.ts'
import { IDLE_SECONDS, LONGEST_SECONDS, type Session } from '../domain/account/session.ts'
import { addSeconds, fromMicroseconds, type Instant, toMicroseconds } from '../lib/time.ts'
import { type AccountRow, toAccount } from './account-rows.ts'
import type { Sql } from './database.ts'
import type { Steps } from './retention/steps.ts'
import type { SignedIn } from './store.ts'

interface SessionRow {
  lookup: string
  account_id: string
  created_at: number
  last_seen_at: number
  remote_addr: string | null
  ua: string
}

function toSession(row: SessionRow): Session {
  return {
    lookup: row.lookup,
    accountId: row.account_id,
    createdAt: fromMicroseconds(row.created_at),
    lastSeenAt: fromMicroseconds(row.last_seen_at),
    address: row.remote_addr,
    userAgent: row.ua,
  }
}

const INSERT = `
  INSERT INTO sessions (lookup, account_id, created_at, last_seen_at, remote_addr, ua)
  SELECT $1, id, $3, $4, $5, $6 FROM accounts WHERE id = $2`

const INSERT_WHILE = `${INSERT} AND password_hash = $7`

export async function createSession(sql: Sql, session: Session, passwordHash: string | null): Promise<boolean> {
  const values = [
    session.lookup,
    session.accountId,
    toMicroseconds(session.createdAt),
    toMicroseconds(session.lastSeenAt),
    session.address,
    session.userAgent,
  ]
  // A change of the password ends the sessions that it sees.
  await sql.lock('account', [session.accountId])
  const created = passwordHash === null ? sql.run(INSERT, values) : sql.run(INSERT_WHILE, [...values, passwordHash])
  return (await created) > 0
}

const FIND = 'SELECT * FROM sessions WHERE lookup = $1'

export async function findSession(sql: Sql, lookup: string): Promise<SignedIn | null> {
  const session = await sql.get<SessionRow>(FIND, [lookup])
  if (!session) return null
  const account = await sql.get<AccountRow>('SELECT * FROM accounts WHERE id = $1', [session.account_id])
  return account && { session: toSession(session), account: toAccount(account) }
}

export async function touchSession(sql: Sql, lookup: string, at: Instant, address: string | null): Promise<void> {
  await sql.run('UPDATE sessions SET last_seen_at = $2, remote_addr = $3 WHERE lookup = $1 AND last_seen_at < $2', [
    lookup,
    toMicroseconds(at),
    address,
  ])
}

export async function listSessions(sql: Sql, accountId: string): Promise<Session[]> {
  const statement = 'SELECT * FROM sessions WHERE account_id = $1 ORDER BY last_seen_at DESC, lookup'
  return (await sql.all<SessionRow>(statement, [accountId])).map(toSession)
}

export async function endSession(sql: Sql, accountId: string, lookup: string): Promise<boolean> {
  return (await sql.run('DELETE FROM sessions WHERE account_id = $1 AND lookup = $2', [accountId, lookup])) > 0
}

/** Ends all sessions of an account. @param kept the lookup of one that stays @returns how many ended */
export function endSessions(sql: Sql, accountId: string, kept: string | null): Promise<number> {
  return sql.run('DELETE FROM sessions WHERE account_id = $1 AND lookup <> $2', [accountId, kept ?? ''])
}

interface LinkRow {
  lookup: string
  purpose: LinkPurpose
  account_id: string | null
  expires_at: number
}

function toLink(row: LinkRow): OneTimeLink {
  return {
    lookup: row.lookup,
    purpose: row.purpose,
    accountId: row.account_id,
    expiresAt: fromMicroseconds(row.expires_at),
  }
}

const SAME_FOR_NOBODY = 'DELETE FROM one_time_links WHERE purpose = $1 AND account_id IS NULL'
const SAME_FOR_ACCOUNT = 'DELETE FROM one_time_links WHERE purpose = $1 AND account_id = $2'

async function endAlike(sql: Sql, { purpose, accountId }: Pick<OneTimeLink, 'purpose' | 'accountId'>): Promise<void> {
  if (accountId === null) await sql.run(SAME_FOR_NOBODY, [purpose])
  else await sql.run(SAME_FOR_ACCOUNT, [purpose, accountId])
}

export async function createLink(sql: Sql, link: OneTimeLink): Promise<void> {
  const { lookup, purpose, accountId, expiresAt } = link
  // Not those to sign in, which anybody may ask for: a stranger could make them all useless. Nor those for the first account, of
  // which each server that starts prints one.
  if (purpose === 'password') await endAlike(sql, link)
  await sql.run('INSERT INTO one_time_links (lookup, purpose, account_id, expires_at) VALUES ($1, $2, $3, $4)', [
    lookup,
    purpose,
    accountId,
    toMicroseconds(expiresAt),
  ])
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
const EXPIRED_LINKS = 'FROM one_time_links WHERE expires_at < $1'
const ANY_SESSION = `SELECT 1 ${EXPIRED_SESSIONS} LIMIT 1`
const ANY_LINK = `SELECT 1 ${EXPIRED_LINKS} LIMIT 1`

/** Both tables are small. Nothing is written when nothing has expired. */
export async function removeExpired(steps: Steps, now: Instant): Promise<void> {
  const sessions = [toMicroseconds(addSeconds(now, -IDLE_SECONDS)), toMicroseconds(addSeconds(now, -LONGEST_SECONDS))]
  const links = [toMicroseconds(now)]
  const isAny = await steps.read(
    async (sql) => (await sql.get(ANY_SESSION, sessions)) !== null || (await sql.get(ANY_LINK, links)) !== null,
  )
  if (!isAny) return
  await steps.write(async (sql) => {
    await sql.run(`DELETE ${EXPIRED_SESSIONS}`, sessions)
    await sql.run(`DELETE ${EXPIRED_LINKS}`, links)
  })
}
