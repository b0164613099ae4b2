/** Reads the columns of Healthchecks' tables. The columns differ between versions of Healthchecks. */
import { Refusal } from '../../../domain/errors.ts'
import type { ForeignDatabase } from '../../../store/sql/foreign-database.ts'
import type { Value } from '../../../store/sql/value.ts'
import type { HealthchecksTables, LoggedPing, LogSummary, SourcePing, SourceRow, WholeTable } from '../tables.ts'
import { COLUMNS, type Table } from './columns.ts'
import { summariesOf } from './summaries.ts'

const PAGE_ROWS = 500
const PAGE_BYTES = 4 * 1024 * 1024
const SUMMARIZED_AT_ONCE = 50
/** Number of sessions to read. Some may have been signed with an earlier secret. */
const SESSIONS_READ = 50

/** @throws Refusal `import-foreign` if this is not a Healthchecks database, `import-empty` if it has no projects */
export async function openHealthchecksTables(database: ForeignDatabase): Promise<HealthchecksTables> {
  const present = new Map<Table, ReadonlySet<string>>()
  for (const table of Object.keys(COLUMNS) as Table[]) {
    const columns = await database.columns(table)
    if (columns !== null) present.set(table, columns)
  }
  refuseForeign(database.name, present)
  const tables = new Tables(database, present)
  if ((await tables.rows('accounts_project')).length > 0) return tables
  throw new Refusal('import-empty', `the Healthchecks database ${database.name} contains no project`, {
    path: database.name,
  })
}

function refuseForeign(path: string, present: ReadonlyMap<Table, ReadonlySet<string>>): void {
  if (present.get('api_check')?.has('code') && present.has('accounts_project')) return
  const isOld = present.has('api_check')
  const message = isOld
    ? `${path} was written by Healthchecks before 2019, which had no projects`
    : `${path} is not a Healthchecks database: it has no tables api_check and accounts_project`
  throw new Refusal('import-foreign', message, { path })
}

class Tables implements HealthchecksTables {
  readonly #database: ForeignDatabase
  readonly #present: ReadonlyMap<Table, ReadonlySet<string>>

  constructor(database: ForeignDatabase, present: ReadonlyMap<Table, ReadonlySet<string>>) {
    this.#database = database
    this.#present = present
  }

  get name(): string {
    return this.#database.name
  }

  async rows(table: WholeTable): Promise<readonly SourceRow[]> {
    if (!this.#present.has(table)) return []
    const all: SourceRow[] = []
    const statement = `${this.#select(table)} WHERE t."id" > $1 ORDER BY t."id" LIMIT ${PAGE_ROWS}`
    for (let after = -1; ; ) {
      const page = await this.#database.all<SourceRow>(statement, [after])
      all.push(...page)
      if (page.length < PAGE_ROWS) return all
      after = this.#next(after, page.at(-1)?.id)
    }
  }

  async sessions(): Promise<readonly string[]> {
    const rows = await this.#all('django_session', 'ORDER BY t."expire_date" DESC LIMIT $1', [SESSIONS_READ])
    return rows.flatMap(({ session_data }) => session_data ?? [])
  }

  async summarize(checks: readonly number[]): Promise<readonly LogSummary[]> {
    const found: LogSummary[] = []
    for (let done = 0; done < checks.length; done += SUMMARIZED_AT_ONCE) {
      const some = checks.slice(done, done + SUMMARIZED_AT_ONCE)
      found.push(...(await summariesOf(this.#database, this.#present, some)))
    }
    return found
  }

  async newestPings(check: number, limit: number): Promise<readonly SourceRow[]> {
    const of = 'WHERE t."owner_id" = $1 AND t."n" IS NOT NULL'
    return this.#all('api_ping', `${of} ORDER BY t."n" DESC, t."id" DESC LIMIT $2`, [check, limit])
  }

  async *pings(check: number, after: number): AsyncGenerator<readonly LoggedPing[]> {
    if (!this.#present.has('api_ping')) return
    for (let last = after; ; ) {
      const count = await this.#countToBytes(check, last)
      if (count === 0) return
      const rows = await this.#pingPage(check, last, count)
      const pings = rows.filter(({ row }, index) => row.n !== rows[index - 1]?.row.n)
      yield pings
      last = this.#next(last, rows.at(-1)?.row.n)
    }
  }

  /**
   * Returns the position after which the next page begins: the id or number of the last row. SQLite does not enforce column types, and text
   * sorts after all numbers.
   */
  #next(after: number, last: string | null | undefined): number {
    const next = Number(last)
    if (next > after) return next
    const message = `the file ${this.name} is damaged: it has text in place of numbers`
    throw new Refusal('import-damaged', message, { path: this.name })
  }

  /**
   * Counts how many of the next entries to read without exceeding the size limit for bodies. The count is at least one, and includes all
   * entries with the same number.
   */
  async #countToBytes(check: number, after: number): Promise<number> {
    const columns = this.#bodyColumns()
    const bytes = columns.length === 0 ? '0' : `COALESCE(${columns.map((name) => `LENGTH(${name})`).join(', ')}, 0)`
    const heads = await this.#database.all<{ n: string; bytes: string }>(
      `SELECT CAST(t."n" AS text) AS n, CAST(${bytes} AS text) AS bytes FROM api_ping t
      WHERE t."owner_id" = $1 AND t."n" > $2 ORDER BY t."n", t."id" LIMIT ${PAGE_ROWS}`,
      [check, after],
    )
    let sum = 0
    const tooMany = heads.findIndex((head, index) => {
      sum += Number(head.bytes)
      return sum > PAGE_BYTES && index > 0 && head.n !== heads[index - 1]?.n
    })
    return tooMany === -1 ? heads.length : tooMany
  }

  async #pingPage(check: number, after: number, count: number): Promise<LoggedPing[]> {
    const bodies = this.#bodyColumns().map((name, index) => `, ${name} AS body_${index}`)
    const statement = `${this.#select('api_ping', bodies.join(''))}
      WHERE t."owner_id" = $1 AND t."n" > $2 ORDER BY t."n", t."id" LIMIT $3`
    const rows = await this.#database.all<SourcePing & Bodies>(statement, [check, after, count])
    return rows.map(({ body_0, body_1, ...row }) => ({ row, body: bytesOf(body_0) ?? bytesOf(body_1) }))
  }

  /** Returns the columns that contain bodies. Before v3.5, there was also a text column. */
  #bodyColumns(): string[] {
    const present = this.#present.get('api_ping')
    return ['body_raw', 'body'].filter((name) => present?.has(name)).map((name) => `t."${name}"`)
  }

  async *flips(check: number, after: number): AsyncGenerator<readonly SourceRow[]> {
    const rest = `WHERE t."owner_id" = $1 ORDER BY t."created", t."id" LIMIT ${PAGE_ROWS} OFFSET $2`
    yield* this.#pages('api_flip', rest, (read) => [check, after + read])
  }

  async *notifications(check: number): AsyncGenerator<readonly SourceRow[]> {
    const rest = `WHERE t."owner_id" = $1 ORDER BY t."id" LIMIT ${PAGE_ROWS} OFFSET $2`
    yield* this.#pages('api_notification', rest, (read) => [check, read])
  }

  async *#pages(table: Table, rest: string, values: (read: number) => readonly Value[]): AsyncGenerator<SourceRow[]> {
    for (let read = 0; ; ) {
      const page = await this.#all(table, rest, values(read))
      if (page.length > 0) yield page
      if (page.length < PAGE_ROWS) return
      read += page.length
    }
  }

  async #all(table: Table, rest: string, values: readonly Value[]): Promise<SourceRow[]> {
    if (!this.#present.has(table)) return []
    return this.#database.all<SourceRow>(`${this.#select(table)} ${rest}`, values)
  }

  /**
   * Selects all columns as text, which is the same in all database engines. The table has the alias `t`, so that rows are sorted by the
   * column values and not by their text.
   */
  #select(table: Table, more = ''): string {
    const present = this.#present.get(table)
    const names = COLUMNS[table].filter((name) => present?.has(name))
    const texts = names.map((name) => `CAST(t."${name}" AS text) AS "${name}"`)
    return `SELECT ${texts.join(', ')}${more} FROM ${table} t`
  }

  close(): Promise<void> {
    return this.#database.close()
  }
}

interface Bodies {
  readonly body_0?: unknown
  readonly body_1?: unknown
}

/** Returns the bytes of a body; null if it is empty. */
function bytesOf(value: unknown): Uint8Array | null {
  const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value
  return bytes instanceof Uint8Array && bytes.length > 0 ? bytes : null
}
