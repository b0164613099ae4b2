/** Filters and sort order for the list of a project's deliveries. */
import { addSeconds, type Instant } from '../../lib/time.ts'
import type { DeliveryState } from './delivery.ts'

/** Delivery states in the order used by the list. States that may need attention are first. */
export const LIST_ORDER = ['pending', 'failed', 'sent'] as const satisfies readonly DeliveryState[]

/** Time ranges that the list can show. */
export const PERIODS = ['day', 'week', 'month', 'all'] as const
export type Period = (typeof PERIODS)[number]

export const PERIOD_BY_DEFAULT = 'week'

const DAYS = { day: 1, week: 7, month: 30, all: null } as const satisfies Readonly<Record<Period, number | null>>

/**
 * Returns the start of the time range.
 * @returns null for all deliveries
 */
export function beginOf(period: Exclude<Period, 'all'>, now: Instant): Instant
export function beginOf(period: Period, now: Instant): Instant | null
export function beginOf(period: Period, now: Instant): Instant | null {
  const days = DAYS[period]
  return days === null ? null : addSeconds(now, -days * 86_400)
}

/** Whether the check's or the channel's name contains the text, ignoring case. @param names names as shown on pages */
export function isNamed(names: readonly string[], text: string): boolean {
  const wanted = text.toLowerCase()
  return names.some((name) => name.toLowerCase().includes(wanted))
}

/** A string that sorts after every delivery id. */
export const AFTER_ALL_IDS = '~'
