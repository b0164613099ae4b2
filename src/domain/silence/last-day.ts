/** Converts between the end of a repeating window and the last day on which an occurrence begins, in the time zone of the schedule. */
import { addSeconds, type Instant, later, type Temporal } from '../../lib/time.ts'
import { type MaintenanceWindow, occurrencesBefore } from './maintenance-window.ts'

const DAY = 86_400

/** Returns the end of a day. If an occurrence that began before midnight ends later, returns the end of that occurrence. */
export function endOfLastDay(window: MaintenanceWindow, day: Temporal.PlainDate): Instant {
  const midnight = day.add({ days: 1 }).toZonedDateTime(window.tz).toInstant()
  const begun = occurrencesBefore(window, midnight, midnight, LOOKED_AT)
  return begun.reduce((end, { endsAt }) => later(end, endsAt), midnight)
}

/** Maximum number of occurrences to examine when looking for ones that extend into the next day. */
const LOOKED_AT = 40

/** Returns the day for which {@link endOfLastDay} returns the given end. If there is none, returns the date of the given end. */
export function lastDayOf(window: MaintenanceWindow, endsAt: Instant): Temporal.PlainDate {
  const day = addSeconds(endsAt, -1).toZonedDateTimeISO(window.tz).toPlainDate()
  if (endOfLastDay(window, day).equals(endsAt)) return day
  for (let ago = Math.ceil(window.seconds / DAY); ago > 0; ago--) {
    const earlier = day.subtract({ days: ago })
    if (endOfLastDay(window, earlier).equals(endsAt)) return earlier
  }
  return day
}
