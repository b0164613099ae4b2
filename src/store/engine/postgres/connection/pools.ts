/** Pools of connections to one host. */
import { SQL } from 'bun'
import type { PostgresAddress, PostgresHost } from '../../../../domain/database-address.ts'
import { createSemaphore, type Semaphore } from '../../../../lib/work/semaphore.ts'
import { driverOptions } from './address.ts'
import { CONNECT_SECONDS } from './hosts.ts'
import type { Patience } from './session.ts'
import { closeWithin } from './timeouts.ts'

/** The kind of work that a pool is used for. Each pool has its own connections, so that edits and long answers cannot starve pings. */
export type Purpose = 'pings' | 'others' | 'read'

/**
 * Timeouts after which the server is considered lost. A ping may have to wait for the previous batch, and must be answered within two
 * seconds. Other work, such as deleting a channel with a million deliveries, may take long, so another connection checks whether the server
 * still answers.
 */
export const PATIENCE: Readonly<Record<Purpose, Patience>> = {
  pings: { silence: 900, whole: 900 },
  others: { silence: 60_000, whole: Number.POSITIVE_INFINITY },
  read: { silence: 11_000, whole: Number.POSITIVE_INFINITY },
}
/** Maximum wait in milliseconds for a connection that is in use. Pings wait only while the previous batch is being rolled back. */
export const WAIT_MS: Readonly<Record<Purpose, number>> = { pings: 500, others: 10_000, read: 10_000 }
/**
 * Limits that PostgreSQL enforces. A write stops waiting for a lock before its connection counts as lost. The locks of a lost connection
 * must be free when the next connection writes, even though PostgreSQL does not know that the first connection is lost.
 *
 * All writes take locks in the order of `LOCKS`, so pings should never be part of a deadlock. If they were, the lock timeout would end
 * their transaction before PostgreSQL looks for a deadlock, which it does after its `deadlock_timeout` of one second. The other transaction
 * could then continue. The batch of pings would be rejected and none of it written, as always when rows stay locked: there would not be
 * enough time left for another attempt.
 */
const SERVER_LIMITS: Readonly<Record<Purpose, Readonly<Record<string, number>>>> = {
  pings: { lock_timeout: 700, idle_in_transaction_session_timeout: 2_000 },
  others: { lock_timeout: 1_000, idle_in_transaction_session_timeout: 2_000 },
  read: { statement_timeout: 10_000, idle_in_transaction_session_timeout: 30_000 },
}
/**
 * The planner's estimated cost of a lookup. PostgreSQL's default is four times the actual cost for data in memory, which would make it scan
 * entire tables instead.
 */
const LOOK_UPS = { random_page_cost: 1.1 }
/**
 * Settings for reads. Statements are written to find rows through indexes, one after the other, as SQLite does. Without these settings,
 * PostgreSQL scans a small table, and keeps doing so as the table grows until it analyzes the table again, which may be minutes later.
 * Listing 20,000 checks took 25 seconds after the table had grown from 20 checks. JIT is off because PostgreSQL would compile the few
 * statements that must read an entire table. Pings do not use these settings, because the settings did not make them faster.
 */
const BY_INDEXES = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_material: 'off',
  jit: 'off',
}
/** Settings that let PostgreSQL detect a lost connection within half a minute, so that it no longer counts toward the connection limit. */
export const KEPT_ALIVE = {
  tcp_keepalives_idle: 15,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 20_000,
}
/** Maximum number of callers waiting for a connection. Any more are rejected immediately. */
const WAITING_LIMIT = 10_000

export interface PoolOptions {
  readonly address: PostgresAddress
  /** name shown in pg_stat_activity */
  readonly name: string
  /**
   * maximum number of connections, at least 4. The number may briefly be higher, until PostgreSQL notices that old connections are closed
   */
  readonly connections: number
}

interface Pool {
  readonly sql: SQL
  readonly slots: Semaphore
  /** numbers of unused connections. No two connections that write have the same number */
  readonly numbers: number[]
}

export type Pools = Readonly<Record<Purpose, Pool>>

/** Creates the pools. A connection is opened when it is first needed. */
export function openPools(host: PostgresHost, { address, name, connections }: PoolOptions): Pools {
  const pool = (purpose: Purpose, size: number, first = 0): Pool => ({
    sql: new SQL({
      ...driverOptions(address, host),
      max: size,
      connectionTimeout: CONNECT_SECONDS,
      connection: {
        ...KEPT_ALIVE,
        ...LOOK_UPS,
        ...(purpose === 'read' ? BY_INDEXES : {}),
        ...SERVER_LIMITS[purpose],
        application_name: name,
      },
    }),
    slots: createSemaphore(size, WAITING_LIMIT),
    numbers: Array.from({ length: size }, (_, index) => first + index),
  })
  // Only one batch of pings is written at a time. One connection is reserved for checking the server and for long work.
  const left = connections - 2 - (hasListener({ connections }) ? 1 : 0)
  const forOthers = Math.floor(left / 2)
  return {
    pings: pool('pings', 1),
    others: pool('others', forOthers, 1),
    read: pool('read', left - forOthers),
  }
}

/** Returns whether one of the connections can be used for LISTEN. Reads and other writes need at least one connection each. */
export function hasListener({ connections }: Pick<PoolOptions, 'connections'>): boolean {
  return connections > 4
}

/** @param seconds time limit for work in progress */
export async function closePools(pools: Pools, seconds: number): Promise<void> {
  const all = Object.values(pools)
  for (const { slots } of all) slots.close()
  await Promise.all(all.map(({ sql }) => closeWithin(sql, seconds)))
}
