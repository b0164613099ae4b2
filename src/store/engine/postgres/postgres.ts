/**
 * {@link Database} on `Bun.SQL`. Reads and writes use separate connections to the host that accepts writes. A commit's promise resolves
 * after the server has confirmed the commit.
 */

import { type PostgresAddress, type PostgresHost, shownDatabase } from '../../../domain/database-address.ts'
import { EventLoopBudget } from '../../../lib/work/event-loop-budget.ts'
import { NO_PROGRESS, type OnLongWork } from '../../../lib/work/long-work.ts'
import type {
  Database,
  DiskUsage,
  Durability,
  FirstSettings,
  NoticeListener,
  Shown,
  Sql,
  TouchedCheck,
  WriteKind,
  WritesOfOthers,
} from '../../sql/database.ts'
import { readDurability } from './connection/durability.ts'
import { asOpenError, asRefusal, isConflict, unavailable } from './connection/faults.ts'
import { PROGRAM } from './connection/hosts.ts'
import { hasListener } from './connection/pools.ts'
import { PostgresServer } from './connection/server.ts'
import type { Session } from './connection/session.ts'
import { bringUpToDate } from './migrations.ts'
import { FIND_CHANGED, NextNotice, NOTIFY } from './others/notice.ts'
import { Notices } from './others/notices.ts'
import { OtherWriters } from './others/other-writers.ts'
import { createPaced } from './others/paced.ts'
import { SettledIds } from './others/settled-ids.ts'
import { FORGET_OLD_WRITERS, FORGET_WRITER, noteOf } from './others/writers.ts'
import { TransactionSql } from './sql.ts'

/** Milliseconds that all reads together may take in each turn of the event loop, so that they do not delay pings. */
const READ_MS_PER_TURN = 4
const ATTEMPTS = 5
const NOTIFY_EVERY_MS = 200
const RETRY_MS = 10

export interface PostgresOptions {
  readonly address: PostgresAddress
  /** maximum number of connections; at least 4 */
  readonly connections: number
  /** whether to create missing tables; if false, a database without tables is an error */
  readonly create?: boolean
  /** settings for a database whose tables are created */
  readonly firstSettings?: FirstSettings
  /** name shown in pg_stat_activity; `overdue` by default */
  readonly name?: string
  /** called with the problem and what to do about it when the database is lost, and with null when it is available again */
  readonly onFault?: (words: string | null) => void
  readonly onWork?: OnLongWork
}

/**
 * Opens the database, and migrates it if it is older.
 * @throws Refusal if the database is missing and `create` is false, if it cannot be used, or if this program does not support its version
 */
export async function openPostgres({
  address,
  connections,
  create = true,
  firstSettings = {},
  name = PROGRAM.application_name,
  onFault = () => {},
  onWork = NO_PROGRESS,
}: PostgresOptions): Promise<Database> {
  const processId = crypto.randomUUID()
  const notices = new Notices({ address, name, processId })
  const others = new OtherWriters(processId)
  const onHost = (host: PostgresHost | null) => {
    others.forget()
    if (hasListener({ connections })) notices.follow(host)
  }
  const server = new PostgresServer({ address, name, connections, onFault, onHost })
  try {
    await server.start()
    await server.useAlone(async (session) => {
      await bringUpToDate(session, shownDatabase(address), { create, firstSettings, onWork })
      await session.query(FORGET_OLD_WRITERS, [])
    })
    return new PostgresDatabase(server, notices, others, processId)
  } catch (error) {
    await server.close()
    throw asOpenError(error, shownDatabase(address))
  }
}

class PostgresDatabase implements Database {
  readonly #server: PostgresServer
  readonly #notices: Notices
  readonly #others: OtherWriters
  readonly #processId: string
  readonly #readBudget = new EventLoopBudget(READ_MS_PER_TURN)
  readonly #settled = new SettledIds()
  readonly #work = new Set<Promise<unknown>>()
  readonly #nextNotice = new NextNotice()
  readonly #notifying = createPaced(NOTIFY_EVERY_MS, () => this.#notify())
  #hasWritten = false

  constructor(server: PostgresServer, notices: Notices, others: OtherWriters, processId: string) {
    this.#server = server
    this.#notices = notices
    this.#others = others
    this.#processId = processId
  }

  read<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    return this.#counted(async () => {
      await this.#readBudget.available()
      return this.#server.use('read', async (session) => {
        send(session, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
        const sql = new TransactionSql(session)
        try {
          return await work(sql)
        } finally {
          sql.end()
          send(session, 'COMMIT')
        }
      })
    })
  }

  write<Result>(
    work: (sql: Sql) => Promise<Result>,
    kind: WriteKind = 'others',
    shown: (result: Result) => Shown = () => 'anything',
  ): Promise<Result> {
    return this.#counted(async () => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          const purpose = kind === 'pings' ? kind : 'others'
          const result = await this.#server.use(purpose, (session) => this.#writeOnce(session, work, kind, shown))
          if (kind === 'probe') this.#server.refuseLastingFault()
          return result
        } catch (error) {
          if (attempt === ATTEMPTS || !isConflict(error)) throw asRefusal(error)
          await Bun.sleep(Math.random() * attempt * RETRY_MS)
        }
      }
    })
  }

  readOthers(): Promise<WritesOfOthers> {
    return this.#counted(() => this.#server.use('read', (session) => this.#others.read(session)))
  }

  notify(changed: readonly TouchedCheck[]): void {
    this.#nextNotice.add(changed)
    this.#notifying.ask()
  }

  watchNotices(listener: NoticeListener): () => void {
    return this.#notices.watch((publicIds) => void this.#findChanged(publicIds).then(listener))
  }

  /**
   * Finds the checks that a notice names. No change is missed if this read fails, because a process that receives a notice also searches
   * for all changes.
   */
  async #findChanged(publicIds: readonly string[]): Promise<TouchedCheck[]> {
    if (publicIds.length === 0) return []
    return this.#counted(() => this.#server.use('read', (session) => session.query(FIND_CHANGED, [publicIds])))
      .then((rows) =>
        rows.map(({ checkId, projectId }) => ({ checkId: String(checkId), projectId: String(projectId) })),
      )
      .catch(() => [])
  }

  settledPings(): Promise<number> {
    return this.#counted(() => this.#server.use('read', (session) => this.#settled.upTo(session)))
  }

  size(): Promise<DiskUsage> {
    return this.#counted(() =>
      this.#server.use('read', async (session) => {
        const [row] = await session.query('SELECT pg_database_size(current_database()) AS main', [])
        return { main: Number(row?.main) }
      }),
    )
  }

  durability(): Promise<Durability> {
    return this.#counted(() => this.#server.use('read', readDurability))
  }

  /** Does nothing, because the database server has its own cache. */
  cache(): void {}

  async close(): Promise<void> {
    await Promise.allSettled(this.#work)
    if (this.#hasWritten) {
      await this.#server.use('others', (session) => session.query(FORGET_WRITER, [this.#processId])).catch(() => {})
    }
    this.#notifying.flush()
    await Promise.allSettled(this.#work)
    await this.#server.close()
  }

  /**
   * Sends a notice on a read connection, because a notice does not show whether writes succeed. Other processes find changes even without a
   * notice.
   */
  #notify(): void {
    const told = [this.#processId, this.#nextNotice.take()]
    this.#counted(() => this.#server.use('read', (session) => session.query(NOTIFY, told))).catch(() => {})
  }

  async #writeOnce<Result>(
    session: Session,
    work: (sql: Sql) => Promise<Result>,
    kind: WriteKind,
    shown: (result: Result) => Shown,
  ): Promise<Result> {
    send(session, 'BEGIN')
    const sql = new TransactionSql(session)
    let result: Result
    try {
      result = await work(sql)
    } catch (error) {
      sql.end()
      send(session, 'ROLLBACK')
      throw error
    }
    sql.end()
    const mustNote = sql.hasChanged && (kind === 'pings' || kind === 'others')
    const noted = mustNote ? session.query(...noteOf(this.#processId, session.number, shown(result))) : null
    noted?.catch(() => {})
    const committed = session.query('COMMIT', [])
    committed.catch(() => {})
    await sql.heard()
    await noted
    const { command } = await committed
    // PostgreSQL does not report an error when a failed transaction is committed, but it returns a different command tag.
    if (command !== 'COMMIT') throw unavailable('the transaction had failed')
    this.#hasWritten ||= mustNote
    return result
  }

  async #counted<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = work()
    this.#work.add(done)
    try {
      return await done
    } finally {
      this.#work.delete(done)
    }
  }
}

/** Queues a statement that is sent together with the next one. If it fails, the next one fails too. */
function send(session: Session, statement: string): void {
  session.query(statement, []).catch(() => {})
}
