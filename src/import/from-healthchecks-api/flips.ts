/**
 * Converts flips from the API. The API only says whether the check was up after each flip, so the exact statuses are inferred where
 * possible.
 */

import type { StoredStatus } from '../../domain/check/check.ts'
import type { Flip, FlipReason } from '../../domain/check/flip.ts'
import { fromSeconds, type Instant, Temporal } from '../../lib/time.ts'
import type { ApiFlip } from './answers.ts'

/** Details of a ping that may explain a flip in the same second. */
interface FlipEvidence {
  readonly kind: string
  readonly receivedAt: Instant
}

/** The statuses that can follow each status, most likely first. */
const NEXT: Readonly<Record<StoredStatus, readonly StoredStatus[]>> = {
  new: ['down', 'up', 'paused'],
  up: ['down', 'paused'],
  down: ['up', 'paused'],
  paused: ['new', 'up', 'down'],
}

/** Statuses with which a list may begin. Any status is possible, because older flips may have been removed. */
const FIRST: readonly StoredStatus[] = ['new', 'up', 'down', 'paused']

/**
 * Returns the flips of a check, numbered from 1. A flip to a status other than up counts as a timeout or a failure, unless that is
 * impossible.
 * @param listed newest first
 * @param last status of the check after the newest flip, if known
 */
export function toFlips(
  checkId: string,
  listed: readonly ApiFlip[],
  last: StoredStatus | null,
  pings: readonly FlipEvidence[],
): Flip[] {
  const flips = listed.toReversed()
  const evidence = new Map(pings.map((ping) => [`${ping.kind} ${secondOf(ping.receivedAt)}`, ping.receivedAt]))
  const pinged = flips.map(({ timestamp, up }) => {
    const second = secondOf(Temporal.Instant.from(timestamp))
    const at = evidence.get(`${up === 1 ? 'success' : 'fail'} ${second}`) ?? null
    return { up, at, second }
  })
  const allowed = pinged.map(({ up, at }, index): readonly StoredStatus[] => {
    if (up === 1) return ['up']
    if (at !== null) return ['down']
    const isLast = index === pinged.length - 1
    return isLast && last !== null && last !== 'up' ? [last] : ['down', 'paused', 'new']
  })
  const statuses = likeliest(allowed)
  return pinged.map(({ up, at, second }, index) => {
    const [oldStatus = 'new', newStatus = 'down'] = statuses.slice(index, index + 2)
    const reason: FlipReason = newStatus !== 'down' ? '' : at !== null ? 'fail' : 'timeout'
    return {
      checkId,
      n: index + 1,
      createdAt: up === 1 || reason === 'fail' ? (at ?? fromSeconds(second)) : fromSeconds(second),
      oldStatus,
      newStatus,
      reason,
    }
  })
}

/** @returns the status before the first flip, followed by the status after each flip */
function likeliest(allowed: readonly (readonly StoredStatus[])[]): StoredStatus[] {
  /** statuses before each flip from which the remaining flips are possible */
  const possible: ReadonlySet<StoredStatus>[] = []
  let after = new Set<StoredStatus>(FIRST)
  for (const statuses of allowed.toReversed()) {
    const before = FIRST.filter((status) => NEXT[status].some((next) => statuses.includes(next) && after.has(next)))
    // Flips are missing at this point of the list, so any status is possible before it.
    after = before.length > 0 ? new Set(before) : new Set(FIRST)
    possible.push(after)
  }
  possible.reverse()
  const begin = FIRST.find((status) => possible[0]?.has(status)) ?? 'new'
  const statuses = [begin]
  let current = begin
  for (const [index, choices] of allowed.entries()) {
    const goesOn = (status: StoredStatus) => possible[index + 1]?.has(status) ?? true
    const next = NEXT[current].find((status) => choices.includes(status) && goesOn(status))
    current = next ?? choices[0] ?? 'down'
    statuses.push(current)
  }
  return statuses
}

function secondOf(instant: Instant): number {
  return Math.floor(instant.epochMilliseconds / 1000)
}
