/** The list of a project's deliveries: its filters and its order. */
import { addSeconds, type Instant } from '../../lib/time.ts'
import type { DeliveryState } from './delivery.ts'

/** States in the list's order: those that may need attention are first. */
export const LIST_ORDER = ['pending', 'failed', 'sent'] as const satisfies readonly DeliveryState[]

/** Periods that a list may cover. */
export const PERIODS = ['day', 'week', 'month', 'all'] as const
export type Period = (typeof PERIODS)[number]

export const PERIOD_BY_DEFAULT = 'week'

const DAYS = { day: 1, week: 7, month: 30, all: null } as const satisfies Readonly<Record<Period, number | null>>

/** @returns null for all */
export function beginOf(period: Exclude<Period, 'all'>, now: Instant): Instant
export function beginOf(period: Period, now: Instant): Instant | null
export function beginOf(period: Period, now: Instant): Instant | null {
  const days = DAYS[period]
  return days === null ? null : addSeconds(now, -days * 86_400)
}

/** Whether the name of the check or of the channel contains a text, ignoring case. @param names as people see them */
export function isNamed(names: readonly string[], text: string): boolean {
  const wanted = text.toLowerCase()
  return names.some((name) => name.toLowerCase().includes(wanted))
}

/** Sorts after the id of every delivery. */
export const AFTER_ALL_IDS = '~'
