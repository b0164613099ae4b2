/** The table of tokens. It contains links and challenges, and the rows of invitations, ownership offers and recovery codes. */
import { mostAtOnce, TOKEN_PURPOSES, type Token, type TokenFor, type TokenPurpose } from '../../domain/account/token.ts'
import type { Sql } from '../sql/database.ts'
import { type StoredToken, TOKENS } from '../tables/people.ts'

const EMPTY = {
  accountId: null,
  projectId: null,
  madeBy: null,
  email: null,
  role: null,
  data: null,
  createdAt: null,
  expiresAt: null,
} as const satisfies Partial<StoredToken>

/** Stores a token. @param token the token; members that are null may be left out */
export async function insertToken(
  sql: Sql,
  token: Pick<StoredToken, 'lookup' | 'purpose'> & Partial<StoredToken>,
): Promise<void> {
  await TOKENS.insert(sql, { ...EMPTY, ...token })
}

export async function deleteToken(sql: Sql, lookup: string): Promise<void> {
  await sql.run('DELETE FROM tokens WHERE lookup = $1', [lookup])
}

/** Deletes old tokens. This is done before the new token is added, so that the new one is kept even if others expire at the same time. */
const MAKE_ROOM = `
  DELETE FROM tokens WHERE account_id = $1 AND purpose = $2 AND lookup NOT IN (
    SELECT lookup FROM tokens WHERE account_id = $1 AND purpose = $2 ORDER BY expires_at DESC, lookup LIMIT $3
  )`

/** Stores a token. If an account has more than `mostAtOnce` tokens with the same purpose, ends the oldest ones. */
export async function createToken(sql: Sql, token: Token): Promise<void> {
  const { purpose, accountId } = token
  const most = mostAtOnce(token)
  if (accountId !== null && Number.isFinite(most)) await sql.run(MAKE_ROOM, [accountId, purpose, most - 1])
  await insertToken(sql, token)
}

const FIND = 'SELECT * FROM tokens WHERE lookup = $1 AND purpose = $2'

/** Finds the token with this lookup and purpose, even if it has expired. */
export async function findToken<Purpose extends TokenPurpose>(
  sql: Sql,
  lookup: string,
  purpose: Purpose,
): Promise<TokenFor<Purpose> | null> {
  const stored = await TOKENS.get(sql, FIND, [lookup, purpose])
  return stored && toToken<Purpose>(stored)
}

/**
 * Removes a token, even if it has expired, so that it can be used only once. Using a link also ends the account's other links with the same
 * purpose. Using a sign-up link ends other sign-up links for the same email.
 */
export async function takeToken<Purpose extends TokenPurpose>(
  sql: Sql,
  lookup: string,
  ...purposes: readonly Purpose[]
): Promise<TokenFor<Purpose> | null> {
  const take = `DELETE FROM tokens WHERE lookup = $1 AND purpose IN (${listed(purposes)}) RETURNING *`
  const stored = await TOKENS.get(sql, take, [lookup])
  if (stored?.data === null) await endAlike(sql, stored)
  return stored && toToken<Purpose>(stored)
}

const ALIKE = 'DELETE FROM tokens WHERE purpose = $1 AND account_id'

async function endAlike(sql: Sql, { purpose, accountId, email }: StoredToken): Promise<void> {
  // Sign-up links belong to different users, so only those for the same email are ended.
  if (purpose === 'sign-up') await sql.run(`${ALIKE} IS NULL AND email = $2`, [purpose, email])
  else if (accountId === null) await sql.run(`${ALIKE} IS NULL`, [purpose])
  else await sql.run(`${ALIKE} = $2`, [purpose, accountId])
}

const OF_ACCOUNT = `DELETE FROM tokens WHERE account_id = $1 AND purpose IN (${listed(TOKEN_PURPOSES)})`

/** Ends an account's links and challenges. Keeps its recovery codes and the offers that were made to it. */
export async function endTokens(sql: Sql, accountId: string): Promise<void> {
  await sql.run(OF_ACCOUNT, [accountId])
}

function listed(purposes: readonly TokenPurpose[]): string {
  return purposes.map((purpose) => `'${purpose}'`).join(', ')
}

function toToken<Purpose extends TokenPurpose>(stored: StoredToken): TokenFor<Purpose> {
  const { lookup, purpose, accountId, email, data, expiresAt } = stored
  const own = data === null ? { email } : { data }
  return { lookup, purpose, accountId, ...own, expiresAt } as TokenFor<Purpose>
}
