/** Stores and lists the newest attempts of deliveries, for display. */
import { ANSWERS_KEPT, ATTEMPTS_KEPT, type Attempt, statusOf } from '../../domain/alert/attempt.ts'
import { type Instant, toMicroseconds } from '../../lib/time.ts'
import { columns } from '../sql/columns.ts'
import type { Sql } from '../sql/database.ts'
import type { Steps } from '../sql/steps.ts'
import { ATTEMPT, ATTEMPTS } from '../tables/alerts.ts'

const DELETE_OLD = 'DELETE FROM attempts WHERE delivery_id = $1 AND n <= $2'
const FIND_ANSWER = 'SELECT answer FROM attempts WHERE delivery_id = $1 AND n = $2 AND answer IS NOT NULL'
const SHORTEN = 'UPDATE attempts SET answer = $3 WHERE delivery_id = $1 AND n = $2'

interface AttemptKey {
  readonly deliveryId: string
  readonly n: number
}

/** Stores finished attempts, at most one for each delivery. An attempt must be stored only once. */
export async function recordAttempts(sql: Sql, attempts: readonly (Attempt & AttemptKey)[]): Promise<void> {
  const kept = attempts.map((attempt) => {
    const { answer, error } = attempt
    return { ...attempt, answer: answer && error === null ? statusOf(answer) : answer }
  })
  await sql.runEach(ATTEMPTS.insertion, kept.map(ATTEMPTS.values))
  await shortenAnswers(sql, before(attempts, ANSWERS_KEPT))
  await sql.runEach(DELETE_OLD, before(attempts, ATTEMPTS_KEPT))
}

/** Returns the key of the attempt that came `by` attempts before each given one. Leaves out keys before the first attempt. */
function before(attempts: readonly AttemptKey[], by: number): (readonly [string, number])[] {
  return attempts.filter(({ n }) => n > by).map(({ deliveryId, n }) => [deliveryId, n - by])
}

async function shortenAnswers(sql: Sql, keys: readonly (readonly [string, number])[]): Promise<void> {
  if (keys.length === 0) return
  const rows = await sql.getEach<{ answer: string }>(FIND_ANSWER, keys)
  const shortened = keys.flatMap((key, index) => {
    const row = rows[index]
    return row ? [[...key, JSON.stringify(statusOf(JSON.parse(row.answer)))]] : []
  })
  await sql.runEach(SHORTEN, shortened)
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
 * Removes at most `limit` answers of attempts that began before `before`, in short transactions. The attempts themselves are kept as long
 * as their delivery.
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
