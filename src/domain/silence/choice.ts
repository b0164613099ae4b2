/**
 * The choices for the end of a silence that pages offer if the silence begins immediately. On pages, a silenced check is called "muted".
 */
import { addSeconds, type Instant, isAtOrAfter, Temporal } from '../../lib/time.ts'
import { readDayTime } from '../day-time.ts'
import type { SilenceTimes } from './silence.ts'
import { timesOf, UNTIL_HEALTHY_SECONDS_MAX } from './times.ts'

export const END_CHOICES = ['1h', 'morning', 'healthy', 'at'] as const
export type EndChoice = (typeof END_CHOICES)[number]

const HOUR = 3_600
const MORNING = new Temporal.PlainTime(8)

/** The user's choice for the end of a silence. */
export interface WantedEnd {
  readonly choice: EndChoice
  /** day and time entered for the choice `at`; see `readDayTime` */
  readonly day: string
  readonly time: string
}

/**
 * @param tz IANA name of the reader's time zone
 * @returns the times, or what is wrong with the given day and time: `no-time`, `past` or `too-long`
 */
export function timesOfChoice(
  { choice, day, time }: WantedEnd,
  now: Instant,
  tz: string,
): SilenceTimes | 'no-time' | 'past' | 'too-long' {
  if (choice !== 'at')
    return { startsAt: now, endsAt: endOf(choice, now, tz), untilHealthy: choice === 'healthy', window: null }
  const endsAt = readDayTime(day, time, tz)
  if (endsAt === null) return 'no-time'
  if (isAtOrAfter(now, endsAt)) return 'past'
  const times = timesOf({ startsAt: null, endsAt, untilHealthy: false, window: null }, now)
  return typeof times === 'string' ? 'too-long' : times
}

/**
 * Returns the latest end for a choice. For `morning`, this is 8:00 the next day.
 * @param tz IANA name
 */
export function endOf(choice: Exclude<EndChoice, 'at'>, now: Instant, tz: string): Instant {
  if (choice === '1h') return addSeconds(now, HOUR)
  if (choice === 'healthy') return addSeconds(now, UNTIL_HEALTHY_SECONDS_MAX)
  const tomorrow = now.toZonedDateTimeISO(tz).toPlainDate().add({ days: 1 })
  return tomorrow.toZonedDateTime({ timeZone: tz, plainTime: MORNING }).toInstant()
}
