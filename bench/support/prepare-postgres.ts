/** Fills a PostgreSQL database with checks, as `prepare.ts` does with a file of SQLite. */
import type { SQL } from 'bun'
import { systemClock } from '../../src/app/system-clock.ts'
import { uniqueKey } from '../../src/domain/check/unique-key.ts'
import { makeModel, tryPing, withDeps } from './model.ts'
import type { PostgresServer } from './postgres.ts'
import type { Prepared } from './prepare.ts'

export type PreparedPostgres = Omit<Prepared, 'directory'> & {
  /** URL as in DATABASE_URL */
  readonly url: string
  readonly database: string
}

/**
 * Creates a database with one project and `count` checks that are up, each with one ping in its log.
 * @throws Error when the copies differ from what the program would have written
 */
export async function preparePostgres(
  server: PostgresServer,
  count: number,
  database = `checks_${count}`,
): Promise<PreparedPostgres> {
  const url = await server.createDatabase(database)
  const pingedAt = systemClock()
  const model = await withDeps(url, (deps) => makeModel(deps, pingedAt))
  const ids = await server.on(database, (sql) => multiply(sql, model.id, count))
  await withDeps(url, (deps) => tryPing(deps, ids, pingedAt))
  return { url, database, paths: ids.map((id) => `/ping/${id}`), apiKey: model.apiKey }
}

const COPIES_AT_A_TIME = 10_000

/** @returns ids of all checks, the model's first */
async function multiply(sql: SQL, model: string, count: number): Promise<string[]> {
  // The copies are consistent, and the server would check each reference of each row.
  await sql.unsafe('SET session_replication_role = replica')
  const restoreIndexes = await dropIndexes(sql)
  const ids = [model]
  while (ids.length < count) ids.push(...(await copyChecks(sql, model, ids.length, count)))
  await copyRows(sql, 'counters', { counter_id: 'checks.counter_id' }, 'counters.counter_id = model.counter_id', model)
  const ping = { check_id: 'checks.id', id: 'pings.id + checks.counter_id - model.counter_id' }
  await copyRows(sql, 'pings', ping, 'pings.check_id = model.id', model)
  await copyRows(sql, 'events', { check_id: 'checks.id' }, 'events.check_id = model.id', model)
  await restoreIndexes()
  // The next batch gets the block of ids after the newest.
  await sql.unsafe(`SELECT setval('ping_ids', (MAX(id) / increment_by + 1) * increment_by + 1)
    FROM pings CROSS JOIN pg_sequences WHERE sequencename = 'ping_ids' GROUP BY increment_by`)
  await verify(sql, count)
  await sql.unsafe('VACUUM (ANALYZE)')
  await sql.unsafe('CHECKPOINT')
  return ids
}

/** @returns ids of the next copies */
async function copyChecks(sql: SQL, model: string, from: number, count: number): Promise<string[]> {
  const numbers = Array.from({ length: Math.min(COPIES_AT_A_TIME, count - from) }, (_, index) => from + index)
  const ids = numbers.map(() => crypto.randomUUID())
  const copied = {
    id: 'copy.id',
    badge_key: 'copy.badge_key',
    public_id: 'copy.public_id',
    unique_key: 'copy.unique_key',
    slug: "'backup-' || copy.n",
    name: "'Nightly backup of host ' || copy.n",
    created_at: 'checks.created_at - copy.n',
    counter_id: 'checks.counter_id + copy.n',
  }
  const { columns, values } = await selection(sql, 'checks', copied)
  const lists = 'unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[])'
  await sql.unsafe(
    `INSERT INTO checks (${columns}) SELECT ${values} FROM checks
     CROSS JOIN ${lists} AS copy (id, badge_key, public_id, unique_key, n) WHERE checks.id = $6`,
    [
      ids,
      ids.map(() => crypto.randomUUID()),
      numbers.map((n) => n.toString(36).padStart(8, '0')),
      ids.map(uniqueKey),
      numbers,
      model,
    ],
  )
  return ids
}

/** Copies the model's rows of a table for every other check. */
async function copyRows(
  sql: SQL,
  table: string,
  replaced: Readonly<Record<string, string>>,
  ofModel: string,
  model: string,
): Promise<void> {
  const { columns, values } = await selection(sql, table, replaced)
  await sql.unsafe(
    `INSERT INTO ${table} (${columns}) SELECT ${values} FROM checks JOIN checks AS model ON model.id = $1
     JOIN ${table} ON ${ofModel} WHERE checks.id <> model.id ORDER BY checks.counter_id`,
    [model],
  )
}

/** Returns all columns of a table with the values of a copy: those of the model, except for `replaced`. */
async function selection(sql: SQL, table: string, replaced: Readonly<Record<string, string>>) {
  const rows: { name: string }[] = await sql.unsafe(
    'SELECT column_name AS name FROM information_schema.columns WHERE table_name = $1',
    [table],
  )
  return {
    columns: rows.map(({ name }) => `"${name}"`).join(', '),
    values: rows.map(({ name }) => replaced[name] ?? `${table}."${name}"`).join(', '),
  }
}

/**
 * Drops indexes that are no constraints, since building an index takes less time than updating it for each row.
 * @returns a function that restores them
 */
async function dropIndexes(sql: SQL): Promise<() => Promise<void>> {
  const indexes: { name: string; definition: string }[] = await sql.unsafe(`
    SELECT indexname AS name, indexdef AS definition FROM pg_indexes WHERE schemaname = 'public'
    AND indexname NOT IN (SELECT conname FROM pg_constraint)`)
  for (const { name } of indexes) await sql.unsafe(`DROP INDEX ${name}`)
  return async () => {
    for (const { definition } of indexes) await sql.unsafe(definition)
  }
}

async function verify(sql: SQL, count: number): Promise<void> {
  const [row] = await sql.unsafe(`SELECT (SELECT COUNT(*) FROM checks WHERE status = 'up') || ' ' ||
    (SELECT COUNT(*) FROM checks JOIN counters USING (counter_id) JOIN pings ON pings.check_id = checks.id)
    || ' ' || (SELECT COUNT(*) FROM events) AS counts`)
  const whole = `${count} ${count} ${count}`
  if (row.counts !== whole) throw new Error(`a bad copy: checks, pings, flips ${row.counts} instead of ${whole}`)
}
