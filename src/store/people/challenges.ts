/** Challenges, which are found by the hash of a token. */
import { CHALLENGES_LIMIT, type Challenge, type ChallengeKind } from '../../domain/account/challenge.ts'
import { fromMicroseconds, toMicroseconds } from '../../lib/time.ts'
import type { Sql } from '../sql/database.ts'

interface ChallengeRow {
  lookup: string
  kind: ChallengeKind
  account_id: string | null
  data: string
  expires_at: number
}

const INSERT = 'INSERT INTO challenges (lookup, kind, account_id, data, expires_at) VALUES ($1, $2, $3, $4, $5)'

/** Before one is added, so that the new one is kept also beside others that expire at the same moment. */
const MAKE_ROOM = `
  DELETE FROM challenges WHERE account_id = $1 AND kind = $2 AND lookup NOT IN (
    SELECT lookup FROM challenges WHERE account_id = $1 AND kind = $2 ORDER BY expires_at DESC, lookup LIMIT $3
  )`

export async function createChallenge(sql: Sql, challenge: Challenge): Promise<void> {
  const { lookup, kind, accountId, data, expiresAt } = challenge
  if (accountId !== null) await sql.run(MAKE_ROOM, [accountId, kind, CHALLENGES_LIMIT - 1])
  await sql.run(INSERT, [lookup, kind, accountId, data, toMicroseconds(expiresAt)])
}

export async function findChallenge(sql: Sql, lookup: string, kind: ChallengeKind): Promise<Challenge | null> {
  const row = await sql.get<ChallengeRow>('SELECT * FROM challenges WHERE lookup = $1 AND kind = $2', [lookup, kind])
  return row && toChallenge(row)
}

export async function takeChallenge(sql: Sql, lookup: string, kind: ChallengeKind): Promise<Challenge | null> {
  const taken = 'DELETE FROM challenges WHERE lookup = $1 AND kind = $2 RETURNING *'
  const row = await sql.get<ChallengeRow>(taken, [lookup, kind])
  return row && toChallenge(row)
}

function toChallenge(row: ChallengeRow): Challenge {
  return {
    lookup: row.lookup,
    kind: row.kind,
    accountId: row.account_id,
    data: row.data,
    expiresAt: fromMicroseconds(row.expires_at),
  }
}
