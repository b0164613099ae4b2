/** Converts Uptime Kuma heartbeats to pings and flips. */

import type { StoredStatus } from '../../domain/check/check.ts'
import type { Flip } from '../../domain/check/flip.ts'
import type { Ping } from '../../domain/ping/ping.ts'
import type { Instant } from '../../lib/time.ts'
import { type KumaBeat, type KumaCell, SILENCE } from './tables.ts'
import { instantOf, textOf } from './values.ts'

const UP = 1
const MAINTENANCE = 3

/** Uptime Kuma's default message for a push. */
const PLAIN = 'OK'

/**
 * Converts a heartbeat to a ping with the same number. Counting the pings would give them other numbers at the next import, because Uptime
 * Kuma removes old heartbeats. @returns null if no push caused the heartbeat, or if the heartbeat cannot be read
 */
export function toPing(checkId: string, { id, status, msg, time }: KumaBeat): Ping | null {
  const [receivedAt, number, text] = [instantOf(time), numberOf(status), textOf(msg)]
  if (receivedAt === null || number === null || number === MAINTENANCE || text === SILENCE) return null
  return {
    checkId,
    n: id,
    receivedAt,
    // A push that reports down is a failure, even if Uptime Kuma then waited for a retry.
    kind: number === UP ? 'success' : 'fail',
    exitStatus: null,
    occurredAt: null,
    rid: null,
    scheme: 'http',
    method: '',
    ua: '',
    remoteAddr: null,
    body: text === '' || text === PLAIN ? null : new TextEncoder().encode(text),
    contentType: null,
    ignoredBy: null,
  }
}

/** Check status for each Uptime Kuma status; null if the check keeps its previous status. */
const STATUSES: readonly (StoredStatus | null)[] = ['down', 'up', null, 'paused']

/** @param changes in the order of their ids */
export function toFlips(checkId: string, changes: readonly KumaBeat[]): Flip[] {
  const flips: Flip[] = []
  let oldStatus: StoredStatus = 'new'
  for (const { status, msg, time } of changes) {
    const newStatus = STATUSES[numberOf(status) ?? -1] ?? null
    const createdAt: Instant | null = instantOf(time)
    if (newStatus === null || newStatus === oldStatus || createdAt === null) continue
    const isSilence = textOf(msg) === SILENCE
    const reason = newStatus !== 'down' ? '' : isSilence ? 'timeout' : 'fail'
    flips.push({ checkId, n: flips.length + 1, createdAt, oldStatus, newStatus, reason })
    oldStatus = newStatus
  }
  return flips
}

function numberOf(status: KumaCell): number | null {
  const number = status === null ? Number.NaN : Number(status)
  return Number.isInteger(number) && number >= 0 && number <= MAINTENANCE ? number : null
}
