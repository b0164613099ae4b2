/** Challenges, which are found by the hash of a token. */
import type { Challenge, ChallengeKind } from '../domain/account/challenge.ts'
import { fromMicroseconds, toMicroseconds } from '../lib/time.ts'
import type { Sql } from './database.ts'

interface ChallengeRow {
  lookup: string
  kind: ChallengeKind
  account_id: string | null
  data: string
  expires_at: number
}

const INSERT = 'INSERT INTO challenges (lookup, kind, account_id, data, expires_at) VALUES ($1, $2, $3, $4, $5)'

export async function createChallenge(sql: Sql, challenge: Challenge): Promise<void> {
  const { lookup, kind, accountId, data, expiresAt } = challenge
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
