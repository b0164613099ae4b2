/** The open connections to the host that accepts writes. */
import type { SQL } from 'bun'
import type { PostgresHost } from '../../../../domain/database-address.ts'
import { closePools, type Pools } from './pools.ts'
import type { Session } from './session.ts'
import { closeWithin } from './timeouts.ts'

export interface Primary {
  readonly host: PostgresHost
  readonly pools: Pools
  /** sessions in progress */
  readonly sessions: Set<Session>
  /** connections that do not belong to a pool */
  readonly alone: Set<SQL>
}

/** @param seconds time limit for work in progress in the pools */
export async function close({ pools, alone }: Primary, seconds: number): Promise<void> {
  await Promise.all([closePools(pools, seconds), ...Array.from(alone, (sql) => closeWithin(sql, 0))])
}

/** Returns whether any session has waited longer than its limit. */
export function isAnyLate({ sessions }: Primary): boolean {
  const now = performance.now()
  return Array.from(sessions).some((session) => session.isLate(now))
}

/** Returns the longest time that a session has been waiting without an answer, in milliseconds. */
export function longestSilence({ sessions }: Primary): number {
  const now = performance.now()
  return Math.max(0, ...Array.from(sessions, (session) => session.silence(now)))
}
