/** The last day on which an occurrence of a repeated window begins, in its schedule's time zone. */
import { addSeconds, type Instant, later, type Temporal } from '../../lib/time.ts'
import { type MaintenanceWindow, occurrencesBefore } from './maintenance-window.ts'

const DAY = 86_400

/** Returns the end of that day. If an occurrence begins on that day and ends later, returns the end of the occurrence. */
export function endOfLastDay(window: MaintenanceWindow, day: Temporal.PlainDate): Instant {
  const midnight = day.add({ days: 1 }).toZonedDateTime(window.tz).toInstant()
  const begun = occurrencesBefore(window, midnight, midnight, LOOKED_AT)
  return begun.reduce((end, { endsAt }) => later(end, endsAt), midnight)
}

/** Maximum number of occurrences to examine that extend into the next day. */
const LOOKED_AT = 40

/** Returns the day for which {@link endOfLastDay} returns this end. If there is none, returns the day of the end. */
export function lastDayOf(window: MaintenanceWindow, endsAt: Instant): Temporal.PlainDate {
  const day = addSeconds(endsAt, -1).toZonedDateTimeISO(window.tz).toPlainDate()
  if (endOfLastDay(window, day).equals(endsAt)) return day
  for (let ago = Math.ceil(window.seconds / DAY); ago > 0; ago--) {
    const earlier = day.subtract({ days: ago })
    if (endOfLastDay(window, earlier).equals(endsAt)) return earlier
  }
  return day
}
