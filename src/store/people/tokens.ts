/** The table of tokens: links and challenges, and the rows of invitations, offers of ownership and recovery codes. */
import type { Role } from '../../domain/account/role.ts'
import { mostAtOnce, TOKEN_PURPOSES, type Token, type TokenFor, type TokenPurpose } from '../../domain/account/token.ts'
import { fromMicroseconds, toMicroseconds } from '../../lib/time.ts'
import type { Sql } from '../sql/database.ts'
import { placeholders } from '../sql/rows.ts'

/** `schema.sql` says what of it each purpose has. */
export interface TokenRow {
  lookup: string
  purpose: TokenPurpose | 'invitation' | 'ownership-offer' | 'recovery-code'
  account_id: string | null
  project_id: string | null
  made_by: string | null
  email: string | null
  role: Role | null
  data: string | null
  created_at: number | null
  expires_at: number | null
}

const COLUMNS = [
  'lookup',
  'purpose',
  'account_id',
  'project_id',
  'made_by',
  'email',
  'role',
  'data',
  'created_at',
  'expires_at',
] as const satisfies readonly (keyof TokenRow)[]

const INSERT = `INSERT INTO tokens (${COLUMNS.join(', ')}) VALUES (${placeholders(COLUMNS.length)})`

/** @param row without the columns that are null */
export async function insertToken(
  sql: Sql,
  row: Pick<TokenRow, 'lookup' | 'purpose'> & Partial<TokenRow>,
): Promise<void> {
  await sql.run(
    INSERT,
    COLUMNS.map((column) => row[column] ?? null),
  )
}

export async function deleteToken(sql: Sql, lookup: string): Promise<void> {
  await sql.run('DELETE FROM tokens WHERE lookup = $1', [lookup])
}

/** Before one is added, so that the new one is kept also beside others that expire at the same moment. */
const MAKE_ROOM = `
  DELETE FROM tokens WHERE account_id = $1 AND purpose = $2 AND lookup NOT IN (
    SELECT lookup FROM tokens WHERE account_id = $1 AND purpose = $2 ORDER BY expires_at DESC, lookup LIMIT $3
  )`

/** Ends the oldest of its purpose and account beyond `mostAtOnce`. */
export async function createToken(sql: Sql, token: Token): Promise<void> {
  const { lookup, purpose, accountId, expiresAt } = token
  const most = mostAtOnce(token)
  if (accountId !== null && Number.isFinite(most)) await sql.run(MAKE_ROOM, [accountId, purpose, most - 1])
  const own = 'data' in token ? { data: token.data } : { email: token.email }
  await insertToken(sql, { lookup, purpose, account_id: accountId, ...own, expires_at: toMicroseconds(expiresAt) })
}

const FIND = 'SELECT * FROM tokens WHERE lookup = $1 AND purpose = $2'

/** Also one that has expired. */
export async function findToken<Purpose extends TokenPurpose>(
  sql: Sql,
  lookup: string,
  purpose: Purpose,
): Promise<TokenFor<Purpose> | null> {
  const row = await sql.get<TokenRow>(FIND, [lookup, purpose])
  return row && toToken<Purpose>(row)
}

/**
 * Removes it, so that it is taken once; also one that has expired. A link ends all of the same purpose and account with it; to sign
 * up, of the same email.
 */
export async function takeToken<Purpose extends TokenPurpose>(
  sql: Sql,
  lookup: string,
  ...purposes: readonly Purpose[]
): Promise<TokenFor<Purpose> | null> {
  const take = `DELETE FROM tokens WHERE lookup = $1 AND purpose IN (${listed(purposes)}) RETURNING *`
  const row = await sql.get<TokenRow>(take, [lookup])
  if (row?.data === null) await endAlike(sql, row)
  return row && toToken<Purpose>(row)
}

const ALIKE = 'DELETE FROM tokens WHERE purpose = $1 AND account_id'

async function endAlike(sql: Sql, { purpose, account_id, email }: TokenRow): Promise<void> {
  // Each link to sign up belongs to somebody else.
  if (purpose === 'sign-up') await sql.run(`${ALIKE} IS NULL AND email = $2`, [purpose, email])
  else if (account_id === null) await sql.run(`${ALIKE} IS NULL`, [purpose])
  else await sql.run(`${ALIKE} = $2`, [purpose, account_id])
}

const OF_ACCOUNT = `DELETE FROM tokens WHERE account_id = $1 AND purpose IN (${listed(TOKEN_PURPOSES)})`

/** Links and challenges of the account; its recovery codes stay, and what it was offered. */
export async function endTokens(sql: Sql, accountId: string): Promise<void> {
  await sql.run(OF_ACCOUNT, [accountId])
}

function listed(purposes: readonly TokenPurpose[]): string {
  return purposes.map((purpose) => `'${purpose}'`).join(', ')
}

function toToken<Purpose extends TokenPurpose>(row: TokenRow): TokenFor<Purpose> {
  const { lookup, purpose, account_id: accountId, email, data } = row
  const expiresAt = fromMicroseconds(row.expires_at ?? 0)
  const own = data === null ? { email } : { data }
  return { lookup, purpose, accountId, ...own, expiresAt } as TokenFor<Purpose>
}
