/**
 * The connections to a PostgreSQL. The driver knows one host, and waits without limit for a server that does not answer. So
 * this finds the host that accepts writes, gives up on one that is silent, and looks for it again.
 */
import { SQL } from 'bun'
import type { PostgresAddress, PostgresHost } from '../../domain/database-address.ts'
import { messageOf } from '../../lib/errors.ts'
import { createSemaphore, type Semaphore } from '../../lib/semaphore.ts'
import { driverOptions, shownHost } from './address.ts'
import { asRefusal, faultReason, isConflict, isLost, unavailable } from './faults.ts'
import { Session } from './session.ts'

/** Long answers wait for reads, and pings for writes, so that neither starves the other. */
export type Purpose = 'write' | 'read'

/**
 * A server that has sent nothing for so long, while a statement or a connection waits for it, counts as lost. A ping may wait
 * behind one that is just given up, and must be refused within two seconds.
 */
const SILENCE_MS: Readonly<Record<Purpose, number>> = { write: 1_500, read: 11_000 }
/** PostgreSQL ends what takes longer. A write gives up on a lock before it counts as lost. */
const SERVER_LIMITS: Readonly<Record<Purpose, Readonly<Record<string, number>>>> = {
  write: { lock_timeout: 1_000, idle_in_transaction_session_timeout: 10_000 },
  read: { statement_timeout: 10_000, idle_in_transaction_session_timeout: 30_000 },
}
const named = (name: string) => ({ connection: { application_name: name } })
const WATCH_EVERY_MS = 100
const LOOK_EVERY_MS = 200
const CONNECT_SECONDS = 1
const CLOSE_MS = 500
/** Callers that wait for a connection; further ones are refused at once. */
const WAITING_LIMIT = 10_000

export interface ServerOptions {
  readonly address: PostgresAddress
  /** as administrators see it in pg_stat_activity */
  readonly name: string
  /** at most so many at once, two more for a moment while it looks for the host; at least 2 */
  readonly connections: number
  /** called with what is wrong and what to do when the database is lost, and with null when it is back */
  readonly onFault: (words: string | null) => void
}

interface Pool {
  readonly sql: SQL
  readonly slots: Semaphore
  /** numbers of connections that are not in use */
  readonly numbers: number[]
}

/** The connections to one host, as long as it accepts writes. */
interface Up {
  readonly host: PostgresHost
  readonly pools: Readonly<Record<Purpose, Pool>>
  readonly sessions: Set<Session>
}

export class PostgresServer {
  readonly #options: ServerOptions
  #up: Up | null = null
  /** why requests are refused while it is not up */
  #reason = 'the database has not been found yet'
  #isClosed = false
  #isAsking = false
  #watch: ReturnType<typeof setInterval> | null = null
  #closing: Promise<void> = Promise.resolve()

  constructor(options: ServerOptions) {
    this.#options = options
  }

  /** Finds the host that accepts writes. @throws the error of the last host if none does */
  async start(): Promise<void> {
    this.#up = this.#open(await this.#find())
    this.#watch = setInterval(() => this.#giveUpSilent(), WATCH_EVERY_MS)
    this.#watch.unref()
  }

  /**
   * Runs work on a connection of its own.
   * @throws Refusal `unavailable` if there is no server, or it is lost meanwhile; the error of PostgreSQL after a conflict with
   * another transaction; else what the work throws
   */
  async use<Result>(purpose: Purpose, work: (session: Session) => Promise<Result>): Promise<Result> {
    const up = this.#up
    if (up === null) throw unavailable(this.#reason)
    const { sql, slots, numbers } = up.pools[purpose]
    if (!(await slots.acquire())) throw unavailable(this.#up === up ? 'too many requests wait for it' : this.#reason)
    const number = numbers.pop() ?? 0
    const session = new Session(sql, number, SILENCE_MS[purpose])
    up.sessions.add(session)
    const release = () => {
      up.sessions.delete(session)
      numbers.push(number)
      slots.release()
    }
    try {
      return await work(session)
    } catch (error) {
      throw this.#failed(up, error)
    } finally {
      // Nobody waits for the end of a read.
      void session.end().then(release)
    }
  }

  /** Runs long work on a connection beside the others, which no limit of time ends. */
  async useAlone<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    if (this.#up === null) throw unavailable(this.#reason)
    const sql = new SQL({
      ...driverOptions(this.#options.address, this.#up.host),
      ...named(this.#options.name),
      max: 1,
    })
    const session = new Session(sql, 0, Number.POSITIVE_INFINITY)
    try {
      return await work(session)
    } finally {
      await closeWithin(sql, 1)
    }
  }

  /** Waits for the work that is under way. */
  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#watch) clearInterval(this.#watch)
    const up = this.#up
    this.#up = null
    this.#reason = 'this server is stopping'
    if (up) await closePools(up, 1)
    await this.#closing
  }

  #failed(up: Up, error: unknown): unknown {
    if (isLost(error)) this.#lose(up, error)
    return isConflict(error) ? error : asRefusal(error)
  }

  /** Ends everything that waits for this host, and looks for one that accepts writes. */
  #lose(up: Up, error: unknown): void {
    if (this.#up !== up) return
    this.#up = null
    this.#reason = `${faultReason(error)} (${shownHost(up.host)}: ${messageOf(error)})`
    this.#options.onFault(`the database cannot be used: ${this.#reason}`)
    for (const session of up.sessions) session.abandon()
    this.#closing = closePools(up, 0)
    void this.#lookAgain()
  }

  async #lookAgain(): Promise<void> {
    while (!this.#isClosed) {
      try {
        const host = await this.#find()
        if (this.#isClosed) return
        this.#up = this.#open(host)
        this.#options.onFault(null)
        return
      } catch (error) {
        this.#reason = `${faultReason(error) ?? 'PostgreSQL cannot be used'} (${messageOf(error)})`
        await Bun.sleep(LOOK_EVERY_MS)
      }
    }
  }

  /** Asks all hosts at once; the first that accepts writes is taken. @throws the error of the last one if none does */
  async #find(): Promise<PostgresHost> {
    const { address, name } = this.#options
    try {
      return await Promise.any(address.hosts.map((host) => acceptsWrites(address, host, name)))
    } catch (error) {
      throw error instanceof AggregateError ? error.errors.at(-1) : error
    }
  }

  #open(host: PostgresHost): Up {
    const { address, connections, name } = this.#options
    const pool = (purpose: Purpose, size: number): Pool => ({
      sql: new SQL({
        ...driverOptions(address, host),
        max: size,
        connectionTimeout: CONNECT_SECONDS,
        connection: { ...named(name).connection, ...SERVER_LIMITS[purpose] },
      }),
      slots: createSemaphore(size, WAITING_LIMIT),
      numbers: Array.from({ length: size }, (_, number) => number),
    })
    const forWrites = Math.floor(connections / 2)
    return {
      host,
      pools: { write: pool('write', forWrites), read: pool('read', connections - forWrites) },
      sessions: new Set(),
    }
  }

  #giveUpSilent(): void {
    const up = this.#up
    if (up === null || longestSilence(up) < SILENCE_MS.write) return
    // The event loop may have been held up, so what has arrived meanwhile is read first.
    setImmediate(() => {
      if (this.#up !== up) return
      if (isAnySilent(up)) this.#lose(up, new SilentServer())
      else if (longestSilence(up) >= SILENCE_MS.write) void this.#ask(up)
    })
  }

  /** A read may take long; whether the server is still there is asked on another connection. */
  async #ask(up: Up): Promise<void> {
    if (this.#isAsking) return
    this.#isAsking = true
    try {
      await acceptsWrites(this.#options.address, up.host, this.#options.name)
    } catch (error) {
      if (isLost(error)) this.#lose(up, error)
    } finally {
      this.#isAsking = false
    }
  }
}

/** Has the code of the driver for a connection that takes too long. */
class SilentServer extends Error {
  readonly code = 'ERR_POSTGRES_CONNECTION_TIMEOUT'

  constructor() {
    super('no answer')
  }
}

function isAnySilent({ sessions }: Up): boolean {
  const now = performance.now()
  return Array.from(sessions).some((session) => session.silence(now) >= session.silenceLimit)
}

function longestSilence({ sessions }: Up): number {
  const now = performance.now()
  return Math.max(0, ...Array.from(sessions, (session) => session.silence(now)))
}

async function closePools({ pools }: Up, seconds: number): Promise<void> {
  const all = Object.values(pools)
  for (const { slots } of all) slots.close()
  await Promise.all(all.map(({ sql }) => closeWithin(sql, seconds)))
}

/** The driver may wait for ever for a server that does not answer. */
async function closeWithin(sql: SQL, seconds: number): Promise<void> {
  await within(seconds * 1_000 + CLOSE_MS, sql.close({ timeout: seconds })).catch(() => {})
}

interface Standing {
  readonly is_standby: boolean
  readonly is_read_only: boolean
}

const STANDING = `SELECT pg_is_in_recovery() AS is_standby, current_setting('transaction_read_only') = 'on' AS is_read_only`

async function acceptsWrites(address: PostgresAddress, host: PostgresHost, name: string): Promise<PostgresHost> {
  const sql = new SQL({ ...driverOptions(address, host), ...named(name), max: 1, connectionTimeout: CONNECT_SECONDS })
  try {
    const [row]: Standing[] = await within(CONNECT_SECONDS * 1_000, sql.unsafe(STANDING))
    if (row?.is_standby || row?.is_read_only) throw new ReadOnlyServer(host)
    return host
  } finally {
    void closeWithin(sql, 0)
  }
}

/** Has PostgreSQL's code for a write in a transaction that is read only. */
class ReadOnlyServer extends Error {
  readonly errno = '25006'

  constructor(host: PostgresHost) {
    super(`${shownHost(host)} is read only`)
  }
}

async function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  const timer = Promise.withResolvers<never>()
  const timeout = setTimeout(() => timer.reject(new SilentServer()), milliseconds)
  try {
    return await Promise.race([work, timer.promise])
  } finally {
    clearTimeout(timeout)
  }
}
