/**
 * Listens for other processes' notices (NOTIFY) on a separate connection. A notice only makes other processes search earlier than they
 * otherwise would. Notices may be lost while there is no connection, and are always lost if PgBouncer is used in transaction mode.
 */
import { SQL } from 'bun'
import type { PostgresHost } from '../../../../domain/database-address.ts'
import { driverOptions } from '../connection/address.ts'
import { CONNECT_SECONDS } from '../connection/hosts.ts'
import { KEPT_ALIVE, type PoolOptions } from '../connection/pools.ts'
import { closeWithin } from '../connection/timeouts.ts'
import { CHANNEL, readNotice } from './notice.ts'

const AGAIN_AFTER_MS = 1_000

type NoticeOptions = Pick<PoolOptions, 'address' | 'name'> & {
  /** id of this process, whose own notices are ignored */
  readonly processId: string
}

export class Notices {
  readonly #options: NoticeOptions
  readonly #listeners = new Set<(publicIds: readonly string[]) => void>()
  /** the host that accepts writes; null while there is none */
  #host: PostgresHost | null = null
  #sql: SQL | null = null
  #again: ReturnType<typeof setTimeout> | undefined

  constructor(options: NoticeOptions) {
    this.#options = options
  }

  /** @param host the host to listen to from now on; null to stop listening */
  follow(host: PostgresHost | null): void {
    this.#host = host
    this.#hangUp()
    this.#listen()
  }

  /**
   * Calls the listener for each notice from another process, and when notices may have been lost. The first listener opens the connection.
   * @returns a function that removes the listener
   */
  watch(listener: (publicIds: readonly string[]) => void): () => void {
    this.#listeners.add(listener)
    this.#listen()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.#hangUp()
    }
  }

  #listen(): void {
    if (this.#host === null || this.#sql !== null || this.#listeners.size === 0) return
    const { address, name, processId } = this.#options
    const sql = new SQL({
      ...driverOptions(address, this.#host),
      max: 1,
      connectionTimeout: CONNECT_SECONDS,
      connection: { ...KEPT_ALIVE, application_name: name },
      onclose: () => this.#lost(sql),
    })
    this.#sql = sql
    const tell = (publicIds: readonly string[]) => {
      for (const listener of this.#listeners) listener(publicIds)
    }
    const hear = (payload: string) => {
      const { from, publicIds } = readNotice(payload)
      if (from !== processId) tell(publicIds)
    }
    sql.listen(CHANNEL, hear, () => tell([])).catch(() => this.#lost(sql))
  }

  /** Closes a lost connection, because the driver would keep retrying forever and print each failure. */
  #lost(sql: SQL): void {
    if (this.#sql !== sql) return
    this.#hangUp()
    this.#again = setTimeout(() => this.#listen(), AGAIN_AFTER_MS)
    this.#again.unref()
  }

  #hangUp(): void {
    clearTimeout(this.#again)
    const sql = this.#sql
    this.#sql = null
    if (sql) void closeWithin(sql, 0)
  }
}
