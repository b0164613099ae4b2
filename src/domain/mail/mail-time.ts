/** Formats times for emails, in the receiver's time zone and in the format of RFC 5322 (3.3). */
import type { Instant } from '../../lib/time.ts'

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/**
 * Formats a time, such as `Wed, 04 Mar 2026 14:00:00 +0200`.
 * @param tz IANA name
 */
export function mailTime(instant: Instant, tz: string): string {
  const local = instant.toZonedDateTimeISO(tz)
  const time = local.toPlainTime().toString({ smallestUnit: 'second', roundingMode: 'floor' })
  return `${DAYS[local.dayOfWeek - 1]}, ${mailDay(instant, tz)} ${time} ${local.offset.slice(0, 6).replace(':', '')}`
}

/**
 * Formats a day, such as `04 Mar 2026`.
 * @param tz IANA name
 */
export function mailDay(instant: Instant, tz: string): string {
  const { day, month, year } = instant.toZonedDateTimeISO(tz)
  return `${String(day).padStart(2, '0')} ${MONTHS[month - 1]} ${year}`
}
