/** Fields for an end time: a day and a time of day, in the reader's time zone. */
import { daysFrom } from '../../../../domain/day-time.ts'
import type { Instant } from '../../../../lib/time.ts'
import { type Html, html } from '../../html.ts'
import { createClock } from '../words/clock.ts'
import { selectField, textField } from './fields.ts'

export const UNTIL = { day: 'day', time: 'time' } as const

interface UntilFields {
  readonly now: Instant
  /** IANA name of the time zone in the reader's account */
  readonly tz: string
  /** number of days to choose from, including today */
  readonly days: number
  /** text of the option without a fixed end, such as `the check recovers`; null if there is no such option */
  readonly none: string | null
  /** the day that the browser submitted */
  readonly day: string
  /** the time of day that the browser submitted */
  readonly time: string
  /** error message about the day and the time */
  readonly error?: string | undefined
}

export function untilFields({ now, tz, days, none, day, time, error }: UntilFields): Html {
  const options = [...(none === null ? [] : [['', none] as const]), ...dayOptions(now, tz, days)]
  return html`<div class="until-f">${selectField({ name: UNTIL.day, label: 'Until', value: day, options, error, hasFocus: error !== undefined })}
${textField({ name: UNTIL.time, label: 'Time, 24 hours', value: time, maxLength: 5, isCode: true })}</div>`
}

/** Returns each day's value and text. The texts are `today`, `tomorrow`, `Fri 20 Nov` and so on. */
export function dayOptions(
  now: Instant,
  tz: string,
  days: number,
): readonly (readonly [value: string, words: string])[] {
  const clock = createClock(now, tz)
  return daysFrom(now, days, tz).map((date, index) => {
    const words = clock.weekdayDay(date.toZonedDateTime({ timeZone: tz, plainTime: '12:00' }).toInstant())
    return [date.toString(), ['today', 'tomorrow'][index] ?? words]
  })
}
