/** A service's history during the last 90 days, based on the flips of its check. */
import type { Instant } from '../../lib/time.ts'
import { isBefore, later } from '../../lib/time.ts'
import type { Check } from '../check/check.ts'
import type { Flip } from '../check/flip.ts'
import { createUpAndDown, type UpAndDownCalendar } from '../run/up-and-down.ts'
import type { Disruption, PublicService } from './public-status.ts'

export interface ServiceHistory extends Pick<PublicService, 'days' | 'total' | 'since'> {
  /** disruptions, newest first */
  readonly disruptions: readonly Omit<Disruption, 'name'>[]
}

interface ServiceHistoryTally {
  /**
   * Adds flips, newest first.
   * @returns false if older flips are not needed
   */
  add(flips: readonly Flip[]): boolean
  /** @param knownSince time of the oldest flip that was added, if earlier flips are unknown */
  result(knownSince?: Instant): ServiceHistory
}

/**
 * @param check its state after the newest flip
 * @param limit maximum number of disruptions to keep, starting with the newest
 */
export function createServiceHistory(
  check: Check,
  calendar: UpAndDownCalendar,
  now: Instant,
  limit: number,
): ServiceHistoryTally {
  const upAndDown = createUpAndDown(check, calendar, now)
  const begin = calendar.days[0].from
  const disruptions: Omit<Disruption, 'name'>[] = []
  let status = check.status
  /** End of the state that is being processed; null if it has not ended yet. */
  let until: Instant | null = null
  let since: Instant | null = null

  return {
    add(flips) {
      for (const flip of flips) {
        if (status === 'down') {
          if (until === null) since = flip.createdAt
          const isShown = until === null || isBefore(begin, until)
          // If the clock was set back, a flip may have an earlier timestamp than the previous one.
          const end = until && later(until, flip.createdAt)
          if (isShown && disruptions.length < limit) disruptions.push({ from: flip.createdAt, until: end })
        }
        until = flip.createdAt
        status = flip.oldStatus
      }
      return upAndDown.add(flips)
    },
    result(knownSince) {
      const { days, total } = upAndDown.result(knownSince)
      return { days: days.map(({ look }) => look), total, since, disruptions }
    },
  }
}
