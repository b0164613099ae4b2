/** The newest attempts of deliveries, for people. */
import { ANSWERS_KEPT, ATTEMPTS_KEPT, type Attempt, statusOf } from '../../domain/alert/attempt.ts'
import { type Instant, toMicroseconds } from '../../lib/time.ts'
import { columns } from '../sql/columns.ts'
import type { Sql } from '../sql/database.ts'
import type { Steps } from '../sql/steps.ts'
import { ATTEMPT, ATTEMPTS } from '../tables/alerts.ts'

const DELETE_OLD = 'DELETE FROM attempts WHERE delivery_id = $1 AND n <= $2'
const FIND_ANSWER = 'SELECT answer FROM attempts WHERE delivery_id = $1 AND n = $2 AND answer IS NOT NULL'
const SHORTEN = 'UPDATE attempts SET answer = $3 WHERE delivery_id = $1 AND n = $2'

/** Stores an attempt. Each ends once. */
export async function recordAttempt(sql: Sql, deliveryId: string, attempt: Attempt): Promise<void> {
  const { n, beganAt, duration, error, answer } = attempt
  const kept = answer && error === null ? statusOf(answer) : answer
  await ATTEMPTS.insert(sql, { deliveryId, n, beganAt, duration, error, answer: kept })
  if (n > ANSWERS_KEPT) await shortenAnswer(sql, deliveryId, n - ANSWERS_KEPT)
  if (n > ATTEMPTS_KEPT) await sql.run(DELETE_OLD, [deliveryId, n - ATTEMPTS_KEPT])
}

async function shortenAnswer(sql: Sql, deliveryId: string, n: number): Promise<void> {
  const row = await sql.get<{ answer: string }>(FIND_ANSWER, [deliveryId, n])
  if (row) await sql.run(SHORTEN, [deliveryId, n, JSON.stringify(statusOf(JSON.parse(row.answer)))])
}

const KEPT = columns(ATTEMPT)
const LIST = 'SELECT * FROM attempts WHERE delivery_id = $1 ORDER BY n DESC LIMIT $2'

/** Lists the stored attempts, newest first. */
export function listAttempts(sql: Sql, deliveryId: string): Promise<Attempt[]> {
  return KEPT.all(sql, LIST, [deliveryId, ATTEMPTS_KEPT])
}

export const OLD_ANSWERS = `
  SELECT delivery_id, n FROM attempts WHERE created_at < $1 AND answer IS NOT NULL ORDER BY created_at LIMIT $2`
const DROP_ANSWER = 'UPDATE attempts SET answer = NULL WHERE delivery_id = $1 AND n = $2'

/**
 * Removes at most `limit` answers of attempts that began before `before`, in short transactions. The attempts are kept as long as their
 * delivery.
 * @returns number of removed answers
 */
export async function dropAnswers(steps: Steps, before: Instant, limit: number): Promise<number> {
  const rows = await steps.read((sql) =>
    sql.all<{ delivery_id: string; n: number }>(OLD_ANSWERS, [toMicroseconds(before), limit]),
  )
  return steps.runEach(
    DROP_ANSWER,
    rows.map(({ delivery_id, n }) => [delivery_id, n]),
  )
}
