/**
 * The connections to a PostgreSQL. The driver knows one host, and waits without limit for a server that does not answer. So
 * this finds the host that accepts writes, gives up on one that is silent, and looks for it again.
 */
import { SQL } from 'bun'
import type { PostgresAddress, PostgresHost } from '../../domain/database-address.ts'
import type { Refusal } from '../../domain/errors.ts'
import { messageOf } from '../../lib/errors.ts'
import { createSemaphore, type Semaphore } from '../../lib/semaphore.ts'
import type { WriteKind } from '../database.ts'
import { driverOptions, shownHost } from './address.ts'
import { asRefusal, faultReason, isConflict, isLost, unavailable } from './faults.ts'
import { acceptsWrites, CONNECT_SECONDS, findHost } from './hosts.ts'
import { closeWithin, SilentServer, within } from './patience.ts'
import { type Patience, Session } from './session.ts'

/** Each has connections of its own, so that neither edits nor long answers starve pings. */
export type Purpose = WriteKind | 'read'

/**
 * A server that lets something wait for longer counts as lost. A ping may wait for the batch before its own, and must be answered
 * within two seconds. A read may take long, so it is asked on another connection whether the server is still there.
 */
const PATIENCE: Readonly<Record<Purpose, Patience>> = {
  pings: { silence: 900, whole: 900 },
  others: { silence: 1_500, whole: Number.POSITIVE_INFINITY },
  read: { silence: 11_000, whole: Number.POSITIVE_INFINITY },
}
const ENDLESS: Patience = { silence: Number.POSITIVE_INFINITY, whole: Number.POSITIVE_INFINITY }
/** Then it is asked whether the server is still there. */
const ASK_AFTER_MS = 1_500
/**
 * PostgreSQL ends what takes longer. A write gives up on a lock before its connection counts as lost. What a lost connection has
 * locked must be free when the next one writes, although nobody told PostgreSQL that it is lost.
 */
const SERVER_LIMITS: Readonly<Record<Purpose, Readonly<Record<string, number>>>> = {
  pings: { lock_timeout: 700, idle_in_transaction_session_timeout: 2_000 },
  others: { lock_timeout: 1_000, idle_in_transaction_session_timeout: 2_000 },
  read: { statement_timeout: 10_000, idle_in_transaction_session_timeout: 30_000 },
}
/** PostgreSQL notices within half a minute that a connection is lost, and then counts it no longer. */
const KEPT_ALIVE = {
  tcp_keepalives_idle: 15,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 20_000,
}
/** By default PostgreSQL takes a look-up to cost four times what it costs in memory, and reads whole tables instead. */
const LOOK_UPS = { random_page_cost: 1.1 }
const WATCH_EVERY_MS = 100
const LOOK_EVERY_MS = 200
/** Callers that wait for a connection; further ones are refused at once. */
const WAITING_LIMIT = 10_000

export interface ServerOptions {
  readonly address: PostgresAddress
  /** as administrators see it in pg_stat_activity */
  readonly name: string
  /** at most so many at once; for a moment more, when PostgreSQL has not yet noticed that others are closed; at least 4 */
  readonly connections: number
  /** called with what is wrong and what to do when the database is lost, and with null when it is back */
  readonly onFault: (words: string | null) => void
}

interface Pool {
  readonly sql: SQL
  readonly slots: Semaphore
  /** numbers of connections that are not in use; distinct among those that write */
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
    this.#up = await this.#connect()
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
    if (up === null) throw this.#unavailable()
    const { sql, slots, numbers } = up.pools[purpose]
    if (!(await slots.acquire()))
      throw this.#up === up ? unavailable('too many requests wait for the database') : this.#unavailable()
    const number = numbers.pop() ?? 0
    const session = new Session(sql, number, PATIENCE[purpose])
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
    if (this.#up === null) throw this.#unavailable()
    const sql = new SQL({
      ...driverOptions(this.#options.address, this.#up.host),
      max: 1,
      connection: { ...KEPT_ALIVE, application_name: this.#options.name },
    })
    const session = new Session(sql, 0, ENDLESS)
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
    if (!isLost(error)) return isConflict(error) ? error : asRefusal(error)
    this.#lose(up, error)
    return this.#unavailable()
  }

  #unavailable(): Refusal {
    return unavailable(this.#reason, true)
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
        const up = await this.#connect()
        if (this.#isClosed) return await closePools(up, 0)
        this.#up = up
        this.#options.onFault(null)
        return
      } catch (error) {
        this.#reason = `${faultReason(error) ?? 'PostgreSQL cannot be used'} (${messageOf(error)})`
        await Bun.sleep(LOOK_EVERY_MS)
      }
    }
  }

  async #connect(): Promise<Up> {
    const up = this.#open(await findHost(this.#options.address))
    try {
      // Others wait with their connections until pings have one, in case there are not enough for all.
      await within(CONNECT_SECONDS * 1_000, up.pools.pings.sql.unsafe('SELECT 1'))
      return up
    } catch (error) {
      void closePools(up, 0)
      throw error
    }
  }

  #open(host: PostgresHost): Up {
    const { address, name, connections } = this.#options
    const pool = (purpose: Purpose, size: number, first = 0): Pool => ({
      sql: new SQL({
        ...driverOptions(address, host),
        max: size,
        connectionTimeout: CONNECT_SECONDS,
        connection: { ...KEPT_ALIVE, ...LOOK_UPS, ...SERVER_LIMITS[purpose], application_name: name },
      }),
      slots: createSemaphore(size, WAITING_LIMIT),
      numbers: Array.from({ length: size }, (_, index) => first + index),
    })
    // One batch of pings is written at a time. One connection is left to look after the server, and for long work.
    const forOthers = Math.floor((connections - 2) / 2)
    return {
      host,
      pools: {
        pings: pool('pings', 1),
        others: pool('others', forOthers, 1),
        read: pool('read', connections - 2 - forOthers),
      },
      sessions: new Set(),
    }
  }

  #giveUpSilent(): void {
    const up = this.#up
    if (up === null || (!isAnyLate(up) && longestSilence(up) < ASK_AFTER_MS)) return
    // The event loop may have been held up, so what has arrived meanwhile is read first.
    setImmediate(() => {
      if (this.#up !== up) return
      if (isAnyLate(up)) this.#lose(up, new SilentServer())
      else if (longestSilence(up) >= ASK_AFTER_MS) void this.#ask(up)
    })
  }

  /** A read may take long; whether the server is still there is asked on another connection. */
  async #ask(up: Up): Promise<void> {
    if (this.#isAsking) return
    this.#isAsking = true
    try {
      await acceptsWrites(this.#options.address, up.host)
    } catch (error) {
      if (isLost(error)) this.#lose(up, error)
    } finally {
      this.#isAsking = false
    }
  }
}

function isAnyLate({ sessions }: Up): boolean {
  const now = performance.now()
  return Array.from(sessions).some((session) => session.isLate(now))
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
