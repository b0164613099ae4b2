/**
 * Manages the connections to PostgreSQL. The driver supports only one host, and waits indefinitely for a server that does not answer. This
 * class finds the host that accepts writes, drops a host that does not answer, and searches again.
 */
import { SQL } from 'bun'
import type { PostgresHost } from '../../../../domain/database-address.ts'
import type { Refusal } from '../../../../domain/errors.ts'
import { messageOf } from '../../../../lib/errors.ts'
import { authority } from '../../../../lib/network/network.ts'
import { driverOptions } from './address.ts'
import {
  asRefusal,
  faultCode,
  faultReason,
  isConflict,
  isLost,
  TOO_MANY_CONNECTIONS,
  unavailable,
  WAITS_FOR_STANDBY,
} from './faults.ts'
import { acceptsWrites, CONNECT_SECONDS, findHost } from './hosts.ts'
import { LastingFault } from './lasting-fault.ts'
import { KEPT_ALIVE, openPools, PATIENCE, type PoolOptions, type Purpose, WAIT_MS } from './pools.ts'
import { close, isAnyLate, longestSilence, type Primary } from './primary.ts'
import { type Patience, Session } from './session.ts'
import { closeWithin, SilentServer, within } from './timeouts.ts'

/** Message for a fault without a more specific message. */
const UNKNOWN = 'PostgreSQL cannot be used: look at its log'
const ENDLESS: Patience = { silence: Number.POSITIVE_INFINITY, whole: Number.POSITIVE_INFINITY }
/** After this many milliseconds without an answer, another connection checks whether the server still answers. */
const ASK_AFTER_MS = 1_500
/**
 * Milliseconds between two checks of whether the server still answers. More frequent checks would be of no use to work that takes long to
 * get an answer, such as a migration.
 */
const ASK_EVERY_MS = 500
const WATCH_EVERY_MS = 100
const LOOK_EVERY_MS = 200

interface ServerOptions extends PoolOptions {
  /** called with the problem and what to do about it when the database is lost, and with null when it is available again */
  readonly onFault: (words: string | null) => void
  /** called with the new host when one is found, and with null when the host is lost or replaced */
  readonly onHost?: (host: PostgresHost | null) => void
}

export class PostgresServer {
  readonly #options: ServerOptions
  readonly #lastingFault: LastingFault
  #primary: Primary | null = null
  /**
   * Reason given in refusals while there is no server. It contains neither hosts nor PostgreSQL's messages, because strangers may read it.
   */
  #reason = 'the database has not been found yet'
  /** reasons that were passed to `onFault` during this outage */
  readonly #reported = new Set<string>()
  #isClosed = false
  #isAsking = false
  #watch: ReturnType<typeof setInterval> | null = null
  #closing: Promise<void> = Promise.resolve()

  constructor(options: ServerOptions) {
    this.#options = options
    this.#lastingFault = new LastingFault(options.onFault)
  }

  /** Finds the host that accepts writes. @throws the last host's error if none does */
  async start(): Promise<void> {
    this.#primary = await this.#connect()
    this.#options.onHost?.(this.#primary.host)
    // If the event loop was blocked, answers may have arrived in the meantime, so incoming data is read first.
    this.#watch = setInterval(() => setImmediate(() => this.#giveUpSilent()), WATCH_EVERY_MS)
    this.#watch.unref()
  }

  /**
   * Runs work on a connection that is reserved for it.
   * @throws Refusal `unavailable` if there is no server, the server is lost in the meantime, or all connections stay busy for too long; the
   * PostgreSQL error if there is a conflict with another transaction; any error thrown by the work
   */
  async use<Result>(purpose: Purpose, work: (session: Session) => Promise<Result>): Promise<Result> {
    const primary = this.#primary
    if (primary === null) throw this.#unavailable()
    const { sql, slots, numbers } = primary.pools[purpose]
    if (!(await slots.acquire(WAIT_MS[purpose])))
      throw this.#primary === primary ? unavailable('too many requests wait for the database') : this.#unavailable()
    const number = numbers.pop() ?? 0
    const session = new Session(sql, number, PATIENCE[purpose])
    primary.sessions.add(session)
    const release = () => {
      primary.sessions.delete(session)
      numbers.push(number)
      slots.release()
    }
    try {
      const result = await work(session)
      if (purpose !== 'read') this.#lastingFault.writeSucceeded()
      return result
    } catch (error) {
      throw this.#failed(primary, error)
    } finally {
      // Callers don't have to wait until the session of a read has ended.
      void session.end().then(release)
    }
  }

  /**
   * Runs long work on a connection outside the pools. There is no time limit as long as the server answers.
   * @throws the error from PostgreSQL or the driver; any error thrown by the work
   */
  async useAlone<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    const primary = this.#primary
    if (primary === null) throw this.#unavailable()
    const sql = new SQL({
      ...driverOptions(this.#options.address, primary.host),
      max: 1,
      connectionTimeout: CONNECT_SECONDS,
      connection: { ...KEPT_ALIVE, application_name: this.#options.name },
    })
    const session = new Session(sql, 0, ENDLESS)
    primary.sessions.add(session)
    primary.alone.add(sql)
    try {
      return await work(session)
    } finally {
      primary.sessions.delete(session)
      primary.alone.delete(sql)
      // The work has succeeded or failed, so the limit is 0. The driver would otherwise wait for a reserved connection that is no longer in
      // use.
      await closeWithin(sql, 0)
    }
  }

  /** Waits for the work in progress, and closes the connections. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#options.onHost?.(null)
    if (this.#watch) clearInterval(this.#watch)
    const primary = this.#primary
    this.#primary = null
    this.#reason = 'this server is stopping'
    if (primary) await close(primary, 1)
    await this.#closing
  }

  /** @throws Refusal if writes have failed recently because of a lasting fault */
  refuseLastingFault(): void {
    this.#lastingFault.refuse()
  }

  #failed(primary: Primary, error: unknown): unknown {
    if (!isLost(error)) return this.#lastingFault.writeFailed(error) ?? (isConflict(error) ? error : asRefusal(error))
    this.#lose(primary, error)
    return this.#unavailable()
  }

  #unavailable(): Refusal {
    return unavailable(this.#reason, true)
  }

  /** Aborts all work that is waiting for this host, and searches for a host that accepts writes. */
  #lose(primary: Primary, error: unknown): void {
    if (this.#primary !== primary) return
    this.#primary = null
    this.#reported.clear()
    this.#report(error, `${authority(primary.host.host, primary.host.port)}: ${messageOf(error)}`)
    this.#options.onHost?.(null)
    for (const session of primary.sessions) session.abandon()
    this.#closing = close(primary, 0)
    void this.#lookAgain()
  }

  /** Reports each reason once per outage, even if the reasons alternate. @param words message from PostgreSQL or the driver */
  #report(error: unknown, words: string): void {
    this.#reason = faultReason(error) ?? UNKNOWN
    if (this.#reported.has(this.#reason)) return
    this.#reported.add(this.#reason)
    this.#options.onFault(`the database cannot be used: ${this.#reason} (${words})`)
  }

  async #lookAgain(): Promise<void> {
    while (!this.#isClosed) {
      try {
        const primary = await this.#connect()
        if (this.#isClosed) return await close(primary, 0)
        this.#primary = primary
        this.#options.onHost?.(primary.host)
        this.#options.onFault(null)
        return
      } catch (error) {
        if (!this.#isClosed) this.#report(error, messageOf(error))
        await Bun.sleep(LOOK_EVERY_MS)
      }
    }
  }

  async #connect(): Promise<Primary> {
    const host = await findHost(this.#options.address)
    const primary: Primary = { host, pools: openPools(host, this.#options), sessions: new Set(), alone: new Set() }
    const { pings, others } = primary.pools
    try {
      // If there are not enough connections for all pools, pings get theirs first, then other writes.
      await within(CONNECT_SECONDS * 1_000, pings.sql.unsafe('SELECT 1'))
      await within(CONNECT_SECONDS * 1_000, others.sql.unsafe('SELECT 1')).catch(passIfTooMany)
      return primary
    } catch (error) {
      void close(primary, 0)
      throw error
    }
  }

  #giveUpSilent(): void {
    const primary = this.#primary
    if (primary === null) return
    if (isAnyLate(primary)) this.#lose(primary, new SilentServer())
    else if (longestSilence(primary) >= ASK_AFTER_MS) void this.#ask(primary)
  }

  /** Uses another connection to check whether the server still answers. */
  async #ask(primary: Primary): Promise<void> {
    if (this.#isAsking) return
    this.#isAsking = true
    try {
      await acceptsWrites(this.#options.address, primary.host)
      await Bun.sleep(ASK_EVERY_MS)
    } catch (error) {
      if (isLost(error) || faultCode(error) === WAITS_FOR_STANDBY) this.#lose(primary, error)
    } finally {
      this.#isAsking = false
    }
  }
}

function passIfTooMany(error: unknown): void {
  if (faultCode(error) !== TOO_MANY_CONNECTIONS) throw error
}
